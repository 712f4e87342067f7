/// A message of a transcript while its lines are being read.
struct MessageDraft {
    enum Content {
        case request(method: String, target: String, version: String)
        case response(status: String, version: String, reason: String)
        case bytes([UInt8])
        /// Records of TLS with another content than the application's.
        case record(type: UInt8, [UInt8])
    }

    struct Body {
        var bytes: [UInt8]
        var endsWithConnection = false
    }

    let content: Content
    let line: Int
    let connection: Int
    let side: Transcript.Side
    let isMarked: Bool
    let isLost: Bool
    /// The method of the request that a response belongs to; `nil` where none was seen.
    var requestMethod: String?
    /// How it is put into frames; `nil` in HTTP/1.1.
    var framing: HTTP2Framing?

    private(set) var fields: [(name: String, value: String)] = []
    private(set) var removedNames: Set<String> = []
    var body: Body?

    init(
        _ content: Content,
        line: Int,
        connection: Int,
        side: Transcript.Side,
        isMarked: Bool,
        isLost: Bool,
        requestMethod: String?
    ) {
        self.content = content
        self.line = line
        self.connection = connection
        self.side = side
        self.isMarked = isMarked
        self.isLost = isLost
        self.requestMethod = requestMethod
    }

    /// Whether it is bytes, with neither fields nor a body.
    var isBare: Bool {
        switch content {
        case .bytes, .record: true
        case .request, .response: false
        }
    }

    mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

    mutating func remove(_ name: String) { removedNames.insert(name.lowercased()) }

    /// The finished message.
    var message: Transcript.Message {
        if let framing, let fields = http2Fields(framing) { return message(framing, fields) }
        let head = self.head
        let bodyBytes = isChunked ? body.map { chunked($0.bytes) } : body?.bytes
        let bytes = head + (bodyBytes ?? [])
        return Transcript.Message(
            connection: connection,
            side: side,
            bytes: bytes,
            headLength: head.isEmpty ? bytes.count : head.count,
            isMarked: isMarked,
            isLost: isLost,
            contentType: contentType
        )
    }

    private var contentType: UInt8 {
        if case .record(let type, _) = content { type } else { PlainTLS.ContentType.applicationData }
    }

    private func message(_ framing: HTTP2Framing, _ fields: [(name: String, value: String)]) -> Transcript.Message {
        let content = body?.bytes ?? []
        let head =
            (framing.isFirst ? HTTP2Framing.preface(of: side) : [])
            + framing.head(fields, endsStream: content.isEmpty)
        return Transcript.Message(
            connection: connection,
            side: side,
            bytes: head + (content.isEmpty ? [] : framing.body(content)),
            headLength: head.count,
            isMarked: isMarked,
            isLost: isLost,
            contentType: contentType
        )
    }

    /// The fields with the start line's parts as pseudo-header fields; `nil` for plain bytes.
    ///
    /// - Source: RFC 9113 §8.3.
    private func http2Fields(_ framing: HTTP2Framing) -> [(name: String, value: String)]? {
        switch content {
        case .request(let method, let target, _):
            let host = allFields.first { $0.name.lowercased() == "host" }.map { [(":authority", $0.value)] } ?? []
            return [(":method", method), (":scheme", framing.scheme), (":path", target)] + host
                + allFields.filter { $0.name.lowercased() != "host" }
        case .response(let status, _, _): return [(":status", status)] + allFields
        case .bytes, .record: return nil
        }
    }

    private var head: [UInt8] {
        let startLine: String
        switch content {
        case .request(let method, let target, let version): startLine = "\(method) \(target) \(version)"
        case .response(let status, let version, let reason): startLine = "\(version) \(status) \(reason)"
        case .bytes(let bytes), .record(_, let bytes): return bytes
        }
        let lines = [startLine] + allFields.map { "\($0.name): \($0.value)" }
        return Array((lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8)
    }

    /// The usual fields that are neither given nor removed, the given ones, and the length of the body.
    private var allFields: [(name: String, value: String)] {
        var usual: [(name: String, value: String)] = []
        if case .request = content {
            usual = [("Host", "intranet.example"), ("User-Agent", MessageDraft.userAgent)]
        }
        let length = contentLength.map { [(name: "Content-Length", value: "\($0)")] } ?? []
        return usual.filter(isWanted) + fields + length.filter(isWanted)
    }

    private func isWanted(_ field: (name: String, value: String)) -> Bool {
        !hasField(field.name) && !removedNames.contains(field.name.lowercased())
    }

    private func hasField(_ name: String) -> Bool { fields.contains { $0.name.lowercased() == name.lowercased() } }

    private var isChunked: Bool {
        fields.contains { $0.name.lowercased() == "transfer-encoding" && $0.value.lowercased().hasSuffix("chunked") }
    }

    /// The Content-Length that a sender would add; `nil` where it would add none.
    ///
    /// - Source: RFC 9110 §8.6; RFC 9112 §6.2.
    private var contentLength: Int? {
        guard !hasField("Transfer-Encoding"), body?.endsWithConnection != true else { return nil }
        switch content {
        case .request(let method, _, _):
            // "A user agent SHOULD send Content-Length in a request when the method defines a meaning for enclosed content".
            return body?.bytes.count ?? (["POST", "PUT", "PATCH"].contains(method) ? 0 : nil)
        case .response(let status, _, _):
            // "A server MUST NOT send a Content-Length header field in any response with a status code of 1xx or 204",
            // nor "in any 2xx response to a CONNECT request".
            if status.hasPrefix("1") || status == "204" || status == "304" { return nil }
            if requestMethod == "CONNECT", status.hasPrefix("2") { return nil }
            return body?.bytes.count ?? 0
        case .bytes, .record: return nil
        }
    }

    /// One chunk and the last chunk.
    ///
    /// - Source: RFC 9112 §7.1.
    private func chunked(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return Array("0\r\n\r\n".utf8) }
        return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n0\r\n\r\n".utf8)
    }

    private static let userAgent =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15"
}

/// The reason phrases of the registered status codes that matter here; `Unassigned` for the rest.
///
/// - Source: RFC 9110 §15.
func reasonPhrase(of status: String) -> String {
    switch status {
    case "100": "Continue"
    case "101": "Switching Protocols"
    case "103": "Early Hints"
    case "200": "OK"
    case "201": "Created"
    case "204": "No Content"
    case "206": "Partial Content"
    case "301": "Moved Permanently"
    case "302": "Found"
    case "303": "See Other"
    case "304": "Not Modified"
    case "307": "Temporary Redirect"
    case "308": "Permanent Redirect"
    case "400": "Bad Request"
    case "401": "Unauthorized"
    case "403": "Forbidden"
    case "404": "Not Found"
    case "405": "Method Not Allowed"
    case "407": "Proxy Authentication Required"
    case "408": "Request Timeout"
    case "411": "Length Required"
    case "413": "Content Too Large"
    case "417": "Expectation Failed"
    case "421": "Misdirected Request"
    case "426": "Upgrade Required"
    case "429": "Too Many Requests"
    case "431": "Request Header Fields Too Large"
    case "500": "Internal Server Error"
    case "501": "Not Implemented"
    case "502": "Bad Gateway"
    case "503": "Service Unavailable"
    case "504": "Gateway Timeout"
    case "511": "Network Authentication Required"
    default: "Unassigned"
    }
}
