/// A packet read back from a generated file, by code that shares nothing with what wrote it.
struct CapturedPacket {
    var nanoseconds: Int64
    var frame: [UInt8]
    var originalLength: Int

    /// The two bytes before the network header.
    var etherType: Int { integer(at: frame[12...13] == [0x81, 0] ? 16 : 12, 2) }
    private var network: Int { frame[12...13] == [0x81, 0] ? 18 : 14 }
    private var isIPv6: Bool { etherType == 0x86DD }
    var isTCP: Bool { (etherType == 0x0800 && frame[network + 9] == 6) || (isIPv6 && frame[network + 6] == 6) }
    private var transport: Int { network + (isIPv6 ? 40 : 20) }

    var sourcePort: Int { integer(at: transport, 2) }
    var destinationPort: Int { integer(at: transport + 2, 2) }
    var sequence: UInt32 { UInt32(integer(at: transport + 4, 4)) }
    var acknowledgment: UInt32 { UInt32(integer(at: transport + 8, 4)) }
    var flags: UInt8 { frame[transport + 13] }
    var payload: [UInt8] {
        let end = isIPv6 ? transport + integer(at: network + 4, 2) : network + integer(at: network + 2, 2)
        return Array(frame[(transport + Int(frame[transport + 12] >> 4) * 4)..<end])
    }

    /// The bytes from the network header to the end of its packet, without Ethernet's padding.
    var packet: [UInt8] {
        Array(
            frame[network..<(isIPv6 ? transport + integer(at: network + 4, 2) : network + integer(at: network + 2, 2))]
        )
    }

    private func integer(at offset: Int, _ count: Int) -> Int {
        frame[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The packets of a pcap or pcapng file in any byte order and resolution that is written.
func readPackets(_ file: [UInt8]) -> [CapturedPacket] {
    file.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) ? readBlocks(file) : readRecords(file)
}

private func integer(_ bytes: [UInt8], at offset: Int, _ count: Int = 4, isBig: Bool) -> Int {
    let slice = bytes[offset..<(offset + count)]
    return (isBig ? Array(slice) : slice.reversed()).reduce(0) { $0 << 8 | Int($1) }
}

private func readRecords(_ file: [UInt8]) -> [CapturedPacket] {
    let isBig = file[0] == 0xA1
    let unit = file.prefix(4).contains(0x4D) ? 1 : 1000
    var packets: [CapturedPacket] = []
    var offset = 24
    while offset < file.count {
        let count = integer(file, at: offset + 8, isBig: isBig)
        let time =
            integer(file, at: offset, isBig: isBig) * 1_000_000_000 + integer(file, at: offset + 4, isBig: isBig) * unit
        packets.append(
            CapturedPacket(
                nanoseconds: Int64(time),
                frame: Array(file[(offset + 16)..<(offset + 16 + count)]),
                originalLength: integer(file, at: offset + 12, isBig: isBig)
            )
        )
        offset += 16 + count
    }
    return packets
}

private func readBlocks(_ file: [UInt8]) -> [CapturedPacket] {
    let isBig = file[8] == 0x1A
    var packets: [CapturedPacket] = []
    var unit = 1000
    var offset = 0
    while offset < file.count {
        let length = integer(file, at: offset + 4, isBig: isBig)
        precondition(integer(file, at: offset + length - 4, isBig: isBig) == length && length % 4 == 0)
        switch integer(file, at: offset, isBig: isBig) {
        case 1: unit = file[offset + 20] == 9 ? 1 : 1000
        case 6:
            let count = integer(file, at: offset + 20, isBig: isBig)
            let high = integer(file, at: offset + 12, isBig: isBig)
            let units = high << 32 | integer(file, at: offset + 16, isBig: isBig)
            packets.append(
                CapturedPacket(
                    nanoseconds: Int64(units * unit),
                    frame: Array(file[(offset + 28)..<(offset + 28 + count)]),
                    originalLength: integer(file, at: offset + 24, isBig: isBig)
                )
            )
        default: break
        }
        offset += length
    }
    return packets
}
