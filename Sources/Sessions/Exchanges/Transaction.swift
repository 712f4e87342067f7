import AuthScanBytes
import AuthScanSchemes
public import AuthScanWire

/// An HTTP transaction with its authentication fields decoded.
///
/// It points into the capture's transactions instead of copying its own: a capture may hold hundreds of thousands.
public final class Transaction: Sendable {
    private let captured: CapturedTransactions
    // What is asked of a transaction again and again is kept here: the captured one lies elsewhere in memory.
    private let storedConnection: UInt32
    private let storedRequestPacket: UInt32
    private let storedResponsePacket: UInt32

    /// What is asked of every transaction.
    public let summary: TransactionSummary

    /// The server that the request is meant for, behind any proxy.
    public let origin: Origin

    /// The decoded authentication fields towards the server.
    public let originFields: AuthenticationFields

    /// The decoded authentication fields towards a proxy.
    public let proxyFields: AuthenticationFields

    /// Decodes the fields of the captured transaction with this index; `recent` are the client's credentials before.
    init(_ captured: CapturedTransactions, _ index: Int, origin: Origin, _ recent: inout RecentCredentials) {
        self.captured = captured
        let outline = captured.outline(index)
        storedConnection = UInt32(clamping: outline.connection)
        storedRequestPacket = UInt32(clamping: outline.requestPacket ?? 0)
        storedResponsePacket = UInt32(clamping: outline.responsePacket ?? 0)
        self.origin = origin
        originFields = AuthenticationFields(of: captured, index, outline, .origin, &recent)
        proxyFields = AuthenticationFields(of: captured, index, outline, .proxy, &recent)
        let isFormLogin =
            outline.isPost && outline.responseMayContain(.setCookie) && captured.setsCookie(index)
            && Transaction.isLoginPath(Transaction.pathBytes(ofTarget: captured.targetBytes(index)))
        var marks: TransactionSummary.Marks = isFormLogin ? [.formLogin] : []
        if outline.isHTTP2 { marks.insert(.http2) }
        if outline.isSecure { marks.insert(.secure) }
        if outline.isComplete { marks.insert(.complete) }
        if outline.lacksUserAgent { marks.insert(.noUserAgent) }
        if originFields.hasCredentials { marks.insert(.credentials) }
        if proxyFields.hasCredentials { marks.insert(.proxyCredentials) }
        summary = TransactionSummary(
            index: index,
            packet: outline.requestPacket ?? outline.responsePacket ?? 0,
            status: outline.status,
            marks
        )
    }

    /// The place in the capture's transactions.
    private var index: Int { summary.index }

    /// Asks for what was captured of some transactions of its capture, and waits for nothing.
    func prefetchCaptured(of summaries: some Sequence<TransactionSummary>) {
        for summary in summaries { captured.prefetchSummary(summary.index) }
    }

    /// The transaction as it was captured.
    public var http: HTTPTransaction { captured[index] }

    /// The decoded fields towards one of the two.
    public func fields(for target: AuthenticationTarget) -> AuthenticationFields {
        target == .origin ? originFields : proxyFields
    }
}

extension Transaction {
    /// The path of the request target without its query; the whole target where it has no path, empty without request.
    ///
    /// Findings quote it: what proves or grants something by itself, such as a session's identifier, is redacted.
    public var path: Substring {
        URISecrets.redacted(target: Transaction.path(ofTarget: request?.target ?? ""))
    }

    /// The bytes of the request target's path that tell resources apart: up to the query, or a parameter of a segment.
    ///
    /// - Source: RFC 9112 §3.2; RFC 3986 §3.3.
    public var pathBytes: ArraySlice<UInt8> { Transaction.pathBytes(ofTarget: captured.targetBytes(index)) }

    private static func pathBytes(ofTarget whole: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = whole.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: ";") }
        let target = whole[..<(end ?? whole.endIndex)]
        guard target.first != UInt8(ascii: "/"), let colon = target.firstIndex(of: UInt8(ascii: ":")),
            target[colon...].starts(with: "://".utf8)
        else { return target }
        return target[(colon + 3)...].drop { $0 != UInt8(ascii: "/") }
    }

    /// The transaction's number in the capture, counted from 1.
    public var number: Int { summary.number }

    /// Whether it was a stream of HTTP/2.
    public var isHTTP2: Bool { summary.isHTTP2 }

    /// Whether it travelled inside TLS that was decrypted.
    public var isSecure: Bool { summary.isSecure }

    /// Whether both heads are there and whole, so that a field which is not seen was not sent.
    public var isComplete: Bool { summary.isComplete }

    /// Whether the request's User-Agent field is empty or absent; `false` where the head is not there whole.
    public var lacksUserAgent: Bool { summary.lacksUserAgent }

    /// Whether the request looks like the submission of a login form that was answered with a cookie.
    public var isFormLogin: Bool { summary.isFormLogin }

    /// The number of the connection that carried it.
    public var connection: Int { Int(storedConnection) }

    /// The packet that it begins with.
    var firstPacket: Int { captured.firstPacket(index) }

    /// The request; `nil` where the capture lacks it.
    public var request: HTTPRequest? { captured.request(index) }

    /// The final response; `nil` where the capture lacks it.
    public var response: HTTPResponse? { captured.response(index) }

    /// The status of the final response; `nil` where the capture lacks it.
    public var status: Int? { summary.status }

    /// The packet that completed the request's head, or the response's where the request is missing.
    public var packet: Int { summary.packet }

    /// The packet that completed the request's head; `nil` where there is no request.
    public var requestPacket: Int? { storedRequestPacket == 0 ? nil : Int(storedRequestPacket) }

    /// The packet that completed the response's head; `nil` where there is no response.
    public var responsePacket: Int? { storedResponsePacket == 0 ? nil : Int(storedResponsePacket) }

    /// When the exchange of messages began.
    public var startTime: Timestamp {
        captured.requestTime(index) ?? captured.responseTime(index) ?? Timestamp(nanoseconds: 0)
    }

    /// When its last captured head was complete: the response's, or the request's where none came.
    public var endTime: Timestamp { captured.responseTime(index) ?? startTime }

    /// The method of the request; `nil` where there is no request.
    public var method: String? { captured.method(index) }

    /// The request's URL in full; `nil` where the request is missing.
    ///
    /// - Source: RFC 9112 §3.3 (reconstructing the target URI).
    public var url: String? {
        guard let request else { return nil }
        if Origin(absoluteForm: request.target) != nil { return request.target }
        if request.isConnect { return request.target }
        let path = request.target == "*" ? "" : request.target
        return origin.shortDescription + (path.hasPrefix("/") || path.isEmpty ? path : "/" + path)
    }

    /// Whether the request asks a proxy for a tunnel.
    ///
    /// - Source: RFC 9110 §9.3.6.
    var isConnect: Bool { captured.isConnect(index) }

    /// Whether the request says nothing about its body's length; `false` where its head is not there whole.
    ///
    /// - Source: RFC 9112 §6.3.
    public var statesNoLength: Bool {
        guard let request, request.isHeadComplete else { return false }
        return !request.fields.contains(.contentLength) && !request.fields.contains(.transferEncoding)
    }

    /// Whether the request is a CORS preflight.
    ///
    /// - Source: Fetch Standard, "CORS-preflight request".
    public var isPreflight: Bool {
        method == "OPTIONS" && request?.fields.contains(.accessControlRequestMethod) == true
    }

    /// Whether the request fetches what browsers ask for on their own account and users never miss: icons, manifests,
    /// `robots.txt`.
    public var isBackgroundFetch: Bool {
        let last = pathBytes.split(separator: UInt8(ascii: "/")).last ?? []
        let name = fieldText(last).lowercased()
        return name == "favicon.ico" || name.hasPrefix("apple-touch-icon") || name == "robots.txt"
            || name == "manifest.json" || name.hasSuffix(".webmanifest") || name == "browserconfig.xml"
            || request?.fields.text(of: .secFetchDest) == "manifest"
    }

    /// Whether the response announces the end of its connection: `Connection: close`, or HTTP/1.0 without `keep-alive`.
    ///
    /// - Source: RFC 9112 §9.3.
    public var announcesClose: Bool {
        guard let response else { return false }
        let values = response.fields.texts(of: .connection) + response.fields.texts(of: .proxyConnection)
        let options = values.map { Array($0.lowercased().utf8)[...] }
        if options.contains(where: { $0.contains(octets: Transaction.close) }) { return true }
        return response.version == "HTTP/1.0" && !options.contains { $0.contains(octets: Transaction.keepAlive) }
    }

    private static let close = Array("close".utf8)
    private static let keepAlive = Array("keep-alive".utf8)

    /// The bytes of the request's User-Agent; empty where it has none, `nil` where the head is not there whole.
    public var userAgentBytes: ArraySlice<UInt8>? { captured.userAgent(index) }

    /// The values of all field lines of the request with this name, as text.
    public func requestTexts(of name: FieldName) -> [String] {
        captured.requestValues(index, of: name).map(FieldLines.text)
    }

    /// Whether forms of login pages are wont to be sent to a path.
    private static func isLoginPath(_ path: ArraySlice<UInt8>) -> Bool {
        let path = path.map { $0 | 0x20 }
        return loginWords.contains { path[...].contains(octets: $0) }
    }

    /// In lower case; a hyphen is the same with the bit set that tells the cases apart.
    private static let loginWords = ["login", "logon", "signin", "sign-in", "auth", "session", "j_security_check"]
        .map { $0.utf8.map { $0 | 0x20 } }

    /// The path of a target in origin-form or absolute-form; any other form as it is.
    ///
    /// - Source: RFC 9112 §3.2.
    private static func path(ofTarget target: String) -> Substring {
        let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        if target.utf8.first == UInt8(ascii: "/") { return target[..<end] }
        guard let scheme = target[..<end].firstRange(of: "://") else { return target[..<end] }
        let slash = target[scheme.upperBound..<end].utf8.firstIndex(of: UInt8(ascii: "/"))
        return slash.map { target[$0..<end] } ?? "/"
    }
}
