/// The fields of one header block, pseudo-header fields apart.
///
/// - Source: RFC 9113 §8.3.
struct HTTP2Fields {
    private(set) var method: [UInt8]?
    private(set) var path: [UInt8]?
    private(set) var authority: [UInt8]?
    private(set) var status: Int?
    /// The protocol of an extended CONNECT.
    ///
    /// - Source: RFC 8441 §4.
    private(set) var isExtendedConnect = false
    /// Whether every field of the block is known.
    var isComplete = true

    /// The ordinary fields as the lines of an HTTP/1 head.
    private var lines: [UInt8] = []
    private var cookie: [UInt8] = []
    private var hasHost = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func add(_ name: [UInt8], _ value: [UInt8]) {
        guard lines.count + cookie.count + name.count + value.count <= limit else { return isComplete = false }
        if name.first == 0x3A { return addPseudo(String(decoding: name, as: UTF8.self), value) }
        if name == Array("cookie".utf8) {
            // RFC 9113 §8.2.3: crumbs are one field again with "; " between them.
            cookie += (cookie.isEmpty ? [] : [0x3B, 0x20]) + value
            return
        }
        if name == Array("host".utf8) { hasHost = true }
        append(name, value)
    }

    private mutating func addPseudo(_ name: String, _ value: [UInt8]) {
        switch name {
        case ":method": method = value
        case ":path": path = value
        case ":authority": authority = value
        case ":protocol": isExtendedConnect = true
        case ":status":
            let digits = value.allSatisfy(StartLine.isDigit) && value.count == 3
            status = digits ? value.reduce(0) { $0 * 10 + Int($1 &- 0x30) } : nil
        default: break
        }
    }

    private mutating func append(_ name: [UInt8], _ value: [UInt8]) {
        lines += name + [0x3A, 0x20]
        // RFC 9113 §8.2.1 forbids them; as they are, they would end the line.
        for byte in value { lines.append(byte == 0x0D || byte == 0x0A ? 0x20 : byte) }
        lines += [0x0D, 0x0A]
    }

    /// The request as an HTTP/1 head, which one parser reads for both versions; `nil` where its start line is not known.
    ///
    /// - Source: RFC 9113 §8.3.1 and §8.5.
    func requestHead() -> [UInt8]? {
        guard let method else { return nil }
        let isPlainConnect = method == Array("CONNECT".utf8) && !isExtendedConnect
        guard let target = isPlainConnect ? authority : path else { return nil }
        var head = HTTP2Fields.visible(method) + [0x20] + HTTP2Fields.visible(target) + Array(" HTTP/2\r\n".utf8)
        if let authority, !hasHost { head += Array("host: ".utf8) + HTTP2Fields.visible(authority) + [0x0D, 0x0A] }
        return head + rest
    }

    /// The response as an HTTP/1 head; `nil` where the status is not known.
    func responseHead() -> [UInt8]? {
        guard let status else { return nil }
        return Array("HTTP/1.1 \(status)\r\n".utf8) + rest
    }

    private var rest: [UInt8] {
        var rest = self
        if !cookie.isEmpty { rest.append(Array("cookie".utf8), cookie) }
        return rest.lines + [0x0D, 0x0A]
    }

    /// Percent-encodes what would end a part of the start line.
    private static func visible(_ part: [UInt8]) -> [UInt8] {
        part.flatMap { byte in
            byte > 0x20 && byte != 0x7F
                ? [byte] : Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8)
        }
    }
}
