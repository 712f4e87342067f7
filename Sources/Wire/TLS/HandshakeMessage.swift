/// The kinds of handshake messages that are read.
///
/// - Source: the IANA registry "TLS HandshakeType".
struct HandshakeType: RawRepresentable, Hashable {
    let rawValue: UInt8
    static let helloRequest = HandshakeType(rawValue: 0)
    static let clientHello = HandshakeType(rawValue: 1)
    static let serverHello = HandshakeType(rawValue: 2)
    static let newSessionTicket = HandshakeType(rawValue: 4)
    static let endOfEarlyData = HandshakeType(rawValue: 5)
    static let encryptedExtensions = HandshakeType(rawValue: 8)
    static let certificate = HandshakeType(rawValue: 11)
    static let serverKeyExchange = HandshakeType(rawValue: 12)
    static let certificateRequest = HandshakeType(rawValue: 13)
    static let serverHelloDone = HandshakeType(rawValue: 14)
    static let certificateVerify = HandshakeType(rawValue: 15)
    static let clientKeyExchange = HandshakeType(rawValue: 16)
    static let finished = HandshakeType(rawValue: 20)
    static let keyUpdate = HandshakeType(rawValue: 24)
}

/// Puts the handshake messages of one direction together: records cut them, or hold several.
///
/// ```
/// msg_type(1) length(3) body
/// ```
///
/// - Source: RFC 8446 §4 and §5.1.
struct HandshakeReader {
    private var bytes: [UInt8] = []
    /// Where the next message starts in `bytes`.
    private var position = 0

    /// The longest message that is kept, in bytes; certificate chains are the long ones.
    static let messageLimit = 1 << 18

    mutating func append(_ fragment: RawSpan) {
        if position > 0 { bytes.removeFirst(position) }
        position = 0
        bytes.append(fragment)
    }

    /// The next whole message, header included; `nil` where none is there, or too long a one, which is dropped.
    mutating func next() -> (type: HandshakeType, message: [UInt8])? {
        guard bytes.count - position >= 4 else { return nil }
        let length = bytes[(position + 1)...(position + 3)].reduce(0) { $0 << 8 | Int($1) } + 4
        if length > HandshakeReader.messageLimit {
            reset()
            return nil
        }
        guard bytes.count - position >= length else { return nil }
        let message = Array(bytes[position..<(position + length)])
        position += length
        if position == bytes.count { reset() }
        return (HandshakeType(rawValue: message[0]), message)
    }

    /// Forgets what waits: bytes are missing behind it.
    mutating func reset() {
        bytes = []
        position = 0
    }
}
