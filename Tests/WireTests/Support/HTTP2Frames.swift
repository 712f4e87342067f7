/// Writes HTTP/2 frames.
enum HTTP2Frames {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let settings = frame(4, stream: 0)

    static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8] = []) -> [UInt8] {
        var frame = Array(bigEndian(UInt32(payload.count)).dropFirst())
        frame += [type, flags]
        frame += bigEndian(stream)
        return frame + payload
    }

    /// A HEADERS frame with a whole block of literals that are not added to the table.
    static func headers(_ stream: UInt32, _ fields: [(String, String)], ends: Bool = true) -> [UInt8] {
        frame(1, flags: 4 | (ends ? 1 : 0), stream: stream, block(fields))
    }

    static func request(_ stream: UInt32, _ path: String, ends: Bool = true) -> [UInt8] {
        headers(
            stream,
            [(":method", "GET"), (":scheme", "https"), (":path", path), (":authority", "intranet.example")],
            ends: ends
        )
    }

    static func response(_ stream: UInt32, _ status: Int, ends: Bool = true) -> [UInt8] {
        headers(stream, [(":status", "\(status)"), ("server", "s")], ends: ends)
    }

    static func data(_ stream: UInt32, _ text: String, ends: Bool = true) -> [UInt8] {
        frame(0, flags: ends ? 1 : 0, stream: stream, Array(text.utf8))
    }

    static func reset(_ stream: UInt32, _ code: UInt32) -> [UInt8] { frame(3, stream: stream, bigEndian(code)) }

    /// RFC 7541 §6.2.2, names and values as they are.
    static func block(_ fields: [(String, String)]) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in fields {
            block += [0x00, UInt8(name.utf8.count)]
            block += Array(name.utf8)
            block.append(UInt8(value.utf8.count))
            block += Array(value.utf8)
        }
        return block
    }
}
