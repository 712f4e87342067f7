import AuthScanNativeCodecs

/// The HTTP transactions of a capture, in the order in which they begin.
///
/// They stay where they were put when they were read, in the order of that, and their field lines stay in the buffers of all:
/// a capture may hold hundreds of thousands, and to put them in order and to hand each its buffers would touch them all. What is
/// asked of one of them again and again is asked here, without a copy of it.
public struct CapturedTransactions: RandomAccessCollection, Sendable {
    private final class Content: Sendable {
        /// In the order in which they were read.
        let stored: [StoredTransaction]
        /// What few of them have.
        let rare: [StoredTransaction.Rare]
        /// Their places in `stored`; empty where they were read in the order in which they begin.
        let order: [UInt32]
        let buffers: [[UInt8]]

        init(
            _ stored: [StoredTransaction],
            _ rare: [StoredTransaction.Rare],
            _ order: [UInt32],
            _ buffers: [[UInt8]]
        ) {
            self.stored = stored
            self.rare = rare
            self.order = order
            self.buffers = buffers
        }
    }

    private let content: Content

    /// How many numbers of hosts there are; see `hostNumber`.
    public let hostCount: Int

    /// Whether any of them travelled inside TLS that was decrypted: mostly none did, and none need be looked at.
    private let isAnyDecrypted: Bool

    /// No transactions.
    init() { self.init([], rare: [], order: [], buffers: [], hostCount: 0, isAnyDecrypted: false) }

    /// Takes transactions, what few of them have, the order in which they begin (empty for the one that they are in), and the
    /// buffers that their field lines lie in.
    init(
        _ stored: [StoredTransaction],
        rare: [StoredTransaction.Rare],
        order: [UInt32],
        buffers: [[UInt8]],
        hostCount: Int,
        isAnyDecrypted: Bool
    ) {
        self.init(Content(stored, rare, order, buffers), hostCount: hostCount, isAnyDecrypted: isAnyDecrypted)
    }

    private init(_ content: Content, hostCount: Int, isAnyDecrypted: Bool) {
        self.content = content
        self.hostCount = hostCount
        self.isAnyDecrypted = isAnyDecrypted
    }

    /// The same transactions by references of their own: threads that share one wait for each other whenever they count it.
    public func detached() -> CapturedTransactions {
        // The list of the buffers is referred to whenever a field is read.
        let own = Content(content.stored, content.rare, content.order, content.buffers.map { $0 })
        return CapturedTransactions(own, hostCount: hostCount, isAnyDecrypted: isAnyDecrypted)
    }

    /// The indices of those that travelled inside TLS that was decrypted.
    public var secureIndices: some Sequence<Int> { (isAnyDecrypted ? indices : 0..<0).lazy.filter(isSecure) }

    /// The indices of those whose response's page says anything of the client's certificate, which needs TLS.
    public var certificateNoticeIndices: some Sequence<Int> {
        (isAnyDecrypted ? indices : 0..<0).lazy.filter { content.stored[place($0)].response?.certificateNotice != nil }
    }

    /// Asks for some transactions all at once, so that none waits for its own when it is asked for its parts.
    public func prefetch(_ indices: ArraySlice<Int32>) {
        let (stored, buffers) = (content.stored, content.buffers)
        for index in indices { stored.prefetch(place(Int(index))) }
        for index in indices {
            let place = place(Int(index))
            stored[place].request?.fields.prefetch(in: buffers)
            stored[place].response?.fields.prefetch(in: buffers)
        }
    }

    /// How far ahead it is of use to ask for what will be read one after the other.
    public static let usefulAhead = 8

    /// Asks for a transaction without its field lines; an index outside asks for nothing.
    @inline(__always)
    public func prefetchSummary(_ index: Int) { if index < endIndex { content.stored.prefetch(place(index)) } }

    /// The index of the first transaction.
    public var startIndex: Int { 0 }

    /// How many transactions there are.
    public var endIndex: Int { content.stored.count }

    /// The transaction whose number follows an index.
    public subscript(index: Int) -> HTTPTransaction {
        let stored = content.stored[place(index)]
        return HTTPTransaction(stored, rare(stored), number: index + 1, in: content.buffers)
    }

    /// What few transactions have, if this one has any of it.
    private func rare(_ stored: StoredTransaction) -> StoredTransaction.Rare? {
        stored.rare < 0 ? nil : content.rare[Int(stored.rare)]
    }

    /// The request of a transaction; `nil` where the capture lacks it.
    public func request(_ index: Int) -> HTTPRequest? {
        content.stored[place(index)].request.map { HTTPRequest($0, in: content.buffers) }
    }

    /// The final response of a transaction; `nil` where the capture lacks it.
    public func response(_ index: Int) -> HTTPResponse? {
        content.stored[place(index)].response.map { HTTPResponse($0, in: content.buffers) }
    }

    @inline(__always)
    private func place(_ index: Int) -> Int { content.order.isEmpty ? index : Int(content.order[index]) }

    private func fieldsOfRequest(_ index: Int) -> FieldLines? {
        (content.stored[place(index)].request?.fields).map { FieldLines($0, in: content.buffers) }
    }

    private func fieldsOfResponse(_ index: Int) -> FieldLines? {
        (content.stored[place(index)].response?.fields).map { FieldLines($0, in: content.buffers) }
    }

    private func requestMayContain(_ index: Int, _ name: FieldName) -> Bool {
        content.stored[place(index)].request?.fields.mayContain(name) ?? false
    }

    private func responseMayContain(_ index: Int, _ name: FieldName) -> Bool {
        content.stored[place(index)].response?.fields.mayContain(name) ?? false
    }
}

// MARK: - What is asked of one of them

extension CapturedTransactions {
    /// What is asked of every transaction.
    public func outline(_ index: Int) -> TransactionOutline {
        let place = place(index)
        let isInTunnel = content.stored[place].rare >= 0 && self.isInTunnel(content.stored[place])
        return TransactionOutline(content.stored[place], isInTunnel: isInTunnel)
    }

    private func isInTunnel(_ stored: StoredTransaction) -> Bool { rare(stored)?.tunnel != nil }

    /// The number of the connection that carried it.
    public func connection(_ index: Int) -> Int { content.stored[place(index)].connection }

    /// Whether it travelled inside TLS that was decrypted.
    public func isSecure(_ index: Int) -> Bool { content.stored[place(index)].isSecure }

    /// The values of all field lines of the request with this name, as bytes.
    public func requestValues(_ index: Int, of name: FieldName) -> [ArraySlice<UInt8>] {
        requestMayContain(index, name) ? fieldsOfRequest(index)?.values(of: name) ?? [] : []
    }

    /// The value of the request's only field line with this name, as bytes; `nil` where there is none or several.
    public func onlyRequestValue(_ index: Int, of name: FieldName) -> ArraySlice<UInt8>? {
        requestMayContain(index, name) ? fieldsOfRequest(index)?.only(name) : nil
    }

    /// The values of all field lines of the response with this name, as bytes.
    public func responseValues(_ index: Int, of name: FieldName) -> [ArraySlice<UInt8>] {
        responseMayContain(index, name) ? fieldsOfResponse(index)?.values(of: name) ?? [] : []
    }

    /// The packet that a transaction begins with.
    public func firstPacket(_ index: Int) -> Int { content.stored[place(index)].firstPacket }

    /// When the request's head was complete; `nil` where the capture lacks the request.
    public func requestTime(_ index: Int) -> Timestamp? { content.stored[place(index)].request?.evidence.headTime }

    /// When the response's head was complete; `nil` where the capture lacks the response.
    public func responseTime(_ index: Int) -> Timestamp? { content.stored[place(index)].response?.evidence.headTime }

    /// Whether the head of the request is there whole.
    public func isRequestHeadComplete(_ index: Int) -> Bool {
        content.stored[place(index)].request?.isHeadComplete ?? false
    }

    /// The value of the request's User-Agent; empty where it has none, `nil` where the head is not there whole.
    public func userAgent(_ index: Int) -> ArraySlice<UInt8>? {
        isRequestHeadComplete(index) ? fieldsOfRequest(index)?.first(.userAgent) ?? [] : nil
    }

    /// The method of the request; `nil` where the capture lacks the request.
    public func method(_ index: Int) -> String? {
        guard let stored = content.stored[place(index)].request?.method else { return nil }
        return stored.isEmpty ? request(index)?.method : stored.text
    }

    /// Whether the request asks for a tunnel.
    public func isConnect(_ index: Int) -> Bool { content.stored[place(index)].request?.isConnect ?? false }

    /// Whether the response sets a cookie.
    public func setsCookie(_ index: Int) -> Bool {
        responseMayContain(index, .setCookie) && fieldsOfResponse(index)?.contains(.setCookie) == true
    }

    /// The bytes of the request target; none where the capture lacks the request.
    public func targetBytes(_ index: Int) -> ArraySlice<UInt8> { fieldsOfRequest(index)?.first(.requestTarget) ?? [] }

    /// The value of Host, where nothing but Host names the server; `nil` otherwise.
    ///
    /// - Source: RFC 9112 §3.3: a target in origin-form, outside a tunnel.
    public func namingHost(_ index: Int) -> ArraySlice<UInt8>? {
        mayNameHost(index) ? fieldsOfRequest(index)?.namingHost : nil
    }

    /// Whether it is neither inside a tunnel nor asks for one.
    private func mayNameHost(_ index: Int) -> Bool {
        !isInTunnel(content.stored[place(index)]) && !isConnect(index)
    }

    /// Whether the request or the response has a field that is a matter of the client and a proxy alone.
    ///
    /// - Source: RFC 9110 §11.7.
    public func concernsProxy(_ index: Int) -> Bool {
        requestMayContain(index, .proxyAuthorization)
            && fieldsOfRequest(index)?.contains(.proxyAuthorization) == true
            || responseMayContain(index, .proxyAuthenticate)
                && fieldsOfResponse(index)?.contains(.proxyAuthenticate) == true
    }
}
