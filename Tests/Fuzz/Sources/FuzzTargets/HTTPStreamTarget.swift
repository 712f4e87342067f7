import AuthScanWire

extension FuzzTarget {
    /// Any conversation, cut, lost, repeated and reordered in any way, gives transactions whose places are real.
    ///
    /// The input is a script: a control byte, a length byte, and that many bytes of payload, again and again. Of the
    /// control byte, bit 0 says who sends, bit 1 loses the segment, bit 2 sends it twice, bit 3 sends it again with its
    /// last byte missing, bit 4 swaps it with the next one, bit 5 acknowledges it, bits 6 and 7 end the connection.
    public static let httpStream = FuzzTarget(name: "HTTPStream") { input in
        let conversation = Conversation(script: input)
        guard let capture = read(conversation.file, inPiecesOf: 1 << 16) else {
            preconditionFailure("a well-formed capture was refused")
        }
        precondition(capture.packets == conversation.packets, "a packet was lost")
        for (index, transaction) in capture.transactions.enumerated() {
            precondition(transaction.number == index + 1, "transactions are not numbered in order")
            for evidence in [transaction.request?.evidence, transaction.response?.evidence].compactMap({ $0 }) {
                precondition(
                    1 <= evidence.firstPacket && evidence.firstPacket <= evidence.headPacket
                        && evidence.headPacket <= evidence.lastPacket && evidence.lastPacket <= capture.packets,
                    "a message lies outside its capture"
                )
            }
        }
    }
}

/// Writes a raw IPv4 capture of one TCP connection, without checksums, which a passive reader does not check.
struct Conversation {
    private(set) var file: [UInt8] = []
    private(set) var packets = 0
    private var sequence: [UInt32] = [.max - 50, 1000]
    private var delayed: [UInt8]?

    /// Plays a script; see `FuzzTarget.httpStream`.
    init(script: [UInt8]) {
        self.init()
        var rest = script[...]
        while let control = rest.popFirst(), let length = rest.popFirst() {
            let payload = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
            perform(control, payload)
        }
    }

    private init() {
        for word: UInt32 in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 0x4_0000, 101] { appendLittleEndian(word) }
        send(from: 0, flags: 0x02, payload: [])
        sequence[0] &+= 1
        send(from: 1, flags: 0x12, payload: [])
        sequence[1] &+= 1
    }

    mutating func perform(_ control: UInt8, _ payload: [UInt8]) {
        let side = Int(control & 1)
        if control & 0x02 == 0 {
            let frame = self.frame(from: side, flags: 0x18, payload: payload)
            if control & 0x10 != 0, delayed == nil {
                delayed = frame
            } else {
                write(frame)
                if control & 0x04 != 0 { write(frame) }
                if control & 0x08 != 0 { send(from: side, flags: 0x18, payload: Array(payload.dropLast())) }
                if let frame = delayed { write(frame) }
                delayed = nil
            }
        }
        sequence[side] &+= UInt32(payload.count)
        if control & 0x20 != 0 { send(from: 1 - side, flags: 0x10, payload: []) }
        if control & 0xC0 == 0xC0 { send(from: side, flags: 0x11, payload: []) }
        if control & 0xC0 == 0x80 { send(from: side, flags: 0x04, payload: []) }
    }

    private mutating func send(from side: Int, flags: UInt8, payload: [UInt8]) {
        write(frame(from: side, flags: flags, payload: payload))
    }

    private func frame(from side: Int, flags: UInt8, payload: [UInt8]) -> [UInt8] {
        let total = UInt16(40 + payload.count)
        let addresses: [[UInt8]] = [[192, 0, 2, 10], [198, 51, 100, 20]]
        let ports: [[UInt8]] = [[0xC3, 0xB5], [0, 80]]
        var frame: [UInt8] = [0x45, 0, UInt8(total >> 8), UInt8(total & 0xFF), 0, 0, 0x40, 0, 64, 6, 0, 0]
        frame += addresses[side] + addresses[1 - side] + ports[side] + ports[1 - side]
        for number in [sequence[side], sequence[1 - side]] {
            frame += stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
        }
        return frame + [0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0] + payload
    }

    private mutating func write(_ frame: [UInt8]) {
        packets += 1
        for word in [1_700_000_000, UInt32(packets), UInt32(frame.count), UInt32(frame.count)] {
            appendLittleEndian(word)
        }
        file += frame
    }

    private mutating func appendLittleEndian(_ value: UInt32) {
        file += stride(from: 0, through: 24, by: 8).map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
}
