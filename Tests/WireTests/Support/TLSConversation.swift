import AuthScanBytes

@testable import AuthScanWire

/// Feeds the records of one TLS connection to a session, and keeps the content that comes out.
struct TLSConversation {
    let material: TLSMaterial
    let session: TLSSession
    private(set) var content: [Side: [[UInt8]]] = [.client: [], .server: []]
    private(set) var lost: [Side: Int] = [:]
    /// How many bytes of content passed unopened.
    private(set) var unseen: [Side: Int] = [:]
    private var packet = 0

    init(keyLog lines: [String] = []) {
        self.init(material: TLSMaterial(limits: Limits()))
        material.keyLog.receive(Array(lines.joined(separator: "\n").utf8))
        material.keyLog.finish()
    }

    init(material: TLSMaterial) {
        self.material = material
        session = TLSSession(connection: 1, tunnel: nil, packet: 1, presumedClient: 0, material: material)
    }

    /// Sends bytes as one packet, or in packets of a size.
    mutating func send(_ side: Side, _ bytes: [UInt8], size: Int = .max) {
        var start = 0
        while start < bytes.count {
            let end = start + min(size, bytes.count - start)
            packet += 1
            let chunk = chunk(side)
            let piece = Array(bytes[start..<end])
            withBytes(of: piece) { span in
                var position = 0
                while let found = session.next(span, at: &position, chunk) {
                    lost[side, default: 0] += found.lost
                    if found.isUnseen {
                        unseen[side, default: 0] += found.count
                        continue
                    }
                    let buffer = material.takePlaintext()
                    content[side, default: []].append(Array(buffer.prefix(found.count)))
                    material.giveBack(buffer)
                }
            }
            start = end
        }
    }

    mutating func lose(_ side: Side, _ count: Int) { session.directions[side == .client ? 0 : 1].receiveGap(count) }

    private func chunk(_ side: Side) -> StreamChunk {
        StreamChunk(
            content: .opened(ends: -1),
            stream: side == .client ? 0 : 1,
            connection: 0,
            packet: packet,
            time: Timestamp(nanoseconds: Int64(packet))
        )
    }
}
