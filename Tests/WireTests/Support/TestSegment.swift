/// One TCP segment to be captured, between two ends that the tests agree upon.
struct TestSegment {
    var fromClient = true
    var flags: UInt8 = 0x10
    var sequence: UInt32 = 0
    var acknowledgement: UInt32 = 0
    var payload: [UInt8] = []
    var clientPort: UInt16 = 40_000
    var serverPort: UInt16 = 80

    static let syn: UInt8 = 0x02
    static let fin: UInt8 = 0x01
    static let rst: UInt8 = 0x04
    static let ack: UInt8 = 0x10

    /// The TCP header and payload.
    var tcp: [UInt8] {
        bigEndian(fromClient ? clientPort : serverPort) + bigEndian(fromClient ? serverPort : clientPort)
            + bigEndian(sequence) + bigEndian(acknowledgement) + [0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0] + payload
    }

    /// The IPv4 packet; the total length is the true one unless another is stated.
    func ipv4(totalLength: Int? = nil) -> [UInt8] {
        let client: [UInt8] = [192, 0, 2, 1]
        let server: [UInt8] = [192, 0, 2, 80]
        return [0x45, 0] + bigEndian(UInt16(totalLength ?? 20 + tcp.count)) + [0, 0, 0x40, 0, 64, 6, 0, 0]
            + (fromClient ? client + server : server + client) + tcp
    }

    /// The IPv6 packet, with extension headers before TCP.
    func ipv6(nextHeader: UInt8 = 6, extensions: [UInt8] = [], payloadLength: Int? = nil) -> [UInt8] {
        let client: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
        let server: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [0x80]
        return [0x60, 0, 0, 0] + bigEndian(UInt16(payloadLength ?? extensions.count + tcp.count)) + [nextHeader, 64]
            + (fromClient ? client + server : server + client) + extensions + tcp
    }

    /// The Ethernet frame around the IPv4 packet.
    var ethernet: [UInt8] { ethernetHeader(0x0800) + ipv4() }
}

/// Two made-up addresses and an EtherType.
func ethernetHeader(_ type: UInt16) -> [UInt8] { [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2] + bigEndian(type) }

func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    stride(from: Number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Number($0)) }
}

func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] { bigEndian(number).reversed() }
