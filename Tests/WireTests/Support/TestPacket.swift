/// Bytes one after the other; the compiler is slow with long sums of literals.
func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

/// Headers around the packets of tests.
enum TestPacket {
    /// An IPv4 packet between two tunnel ends, or a fragment of one; `position` counts bytes.
    static func ipv4(
        _ payload: [UInt8],
        protocol number: UInt8,
        identification: UInt16 = 7,
        position: Int = 0,
        hasMore: Bool = false
    ) -> [UInt8] {
        join(
            [0x45, 0],
            bigEndian(UInt16(20 + payload.count)),
            bigEndian(identification),
            bigEndian(UInt16(position / 8) | (hasMore ? 0x2000 : 0)),
            [64, number, 0, 0, 203, 0, 113, 1, 203, 0, 113, 2],
            payload
        )
    }

    /// An IPv6 packet between two tunnel ends.
    static func ipv6(_ payload: [UInt8], next: UInt8) -> [UInt8] {
        let address: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 10) + [0xFF]
        return join(
            [0x60, 0, 0, 0],
            bigEndian(UInt16(payload.count)),
            [next, 64],
            address,
            [1],
            address,
            [2],
            payload
        )
    }

    /// A UDP datagram over IPv4.
    static func udp(to port: UInt16, _ payload: [UInt8]) -> [UInt8] {
        let length = bigEndian(UInt16(8 + payload.count))
        return ipv4(join(bigEndian(UInt16(50_000)), bigEndian(port), length, [0, 0], payload), protocol: 17)
    }

    /// A GRE packet over IPv4.
    static func gre(flags: UInt16, type: UInt16, _ payload: [UInt8]) -> [UInt8] {
        ipv4(bigEndian(flags) + bigEndian(type) + payload, protocol: 47)
    }

    /// An IEEE 802.11 data frame with LLC, SNAP and an IPv4 packet.
    static func wireless(
        control: [UInt8] = [0x08, 0x01],
        behindAddresses: [UInt8] = [],
        _ body: [UInt8]
    ) -> [UInt8] {
        control + [UInt8](repeating: 0, count: 22) + behindAddresses + body
    }

    /// LLC and SNAP before an IPv4 packet.
    static func snap(_ packet: [UInt8]) -> [UInt8] { [0xAA, 0xAA, 3, 0, 0, 0, 8, 0] + packet }
}
