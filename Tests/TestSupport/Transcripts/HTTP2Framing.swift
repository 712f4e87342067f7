/// Puts a message into frames of HTTP/2; its header block uses neither table nor Huffman code.
///
/// - Source: RFC 9113 §3.4, §4.1, §6; RFC 7541 §6.2.2.
struct HTTP2Framing: Hashable {
    private enum Frame {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let settings: UInt8 = 4
        static let endStream: UInt8 = 1
        static let endHeaders: UInt8 = 4
    }

    /// The stream's number.
    var stream: UInt32
    /// Whether the sender has sent nothing before: then its preface comes first.
    var isFirst: Bool
    /// `http` or `https`.
    var scheme: String

    /// What a side sends before anything else: a client the connection preface and its settings, a server its settings.
    static func preface(of side: Transcript.Side) -> [UInt8] {
        let settings = frame(Frame.settings, flags: 0, stream: 0, [])
        return side == .client ? Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings : settings
    }

    /// The frame with a message's fields.
    func head(_ fields: [(name: String, value: String)], endsStream: Bool) -> [UInt8] {
        var block: [UInt8] = []
        for field in fields {
            block += [0] + HTTP2Framing.text(field.name.lowercased()) + HTTP2Framing.text(field.value)
        }
        let flags = Frame.endHeaders | (endsStream ? Frame.endStream : 0)
        return HTTP2Framing.frame(Frame.headers, flags: flags, stream: stream, block)
    }

    /// The frame with a message's body, its last one.
    func body(_ bytes: [UInt8]) -> [UInt8] {
        HTTP2Framing.frame(Frame.data, flags: Frame.endStream, stream: stream, bytes)
    }

    private static func frame(_ type: UInt8, flags: UInt8, stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        precondition(payload.count <= 1 << 14, "a frame of HTTP/2 holds 16 384 bytes where no side allows more")
        let count = [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
        let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) }
        return count + [type, flags] + number + payload
    }

    /// A string literal: its length in a prefix of seven bits, then its octets.
    private static func text(_ text: String) -> [UInt8] {
        let octets = Array(text.utf8)
        guard octets.count >= 127 else { return [UInt8(octets.count)] + octets }
        var length: [UInt8] = [127]
        var rest = octets.count - 127
        while rest >= 128 {
            length.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return length + [UInt8(rest)] + octets
    }
}
