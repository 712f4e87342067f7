/// The control bits of a TCP header.
///
/// - Source: RFC 9293 §3.1.
public struct TCPFlags: OptionSet, Hashable, Sendable {
    /// The header's fourteenth byte.
    public let rawValue: UInt8

    /// Creates flags from the header's fourteenth byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No more data from the sender.
    public static let fin = TCPFlags(rawValue: 0x01)
    /// Synchronize sequence numbers.
    public static let syn = TCPFlags(rawValue: 0x02)
    /// Reset the connection.
    public static let rst = TCPFlags(rawValue: 0x04)
    /// Push.
    public static let psh = TCPFlags(rawValue: 0x08)
    /// The acknowledgment field is significant.
    public static let ack = TCPFlags(rawValue: 0x10)
}

/// Builds Ethernet frames with right lengths and checksums.
public struct FrameBuilder: Hashable, Sendable {
    /// The VLAN identifier of an IEEE 802.1Q tag; `nil` for none.
    public var vlan: UInt16?

    /// Creates a builder.
    public init(vlan: UInt16? = nil) { self.vlan = vlan }

    /// A frame that carries a TCP segment; its window is 65535.
    ///
    /// `options` are a whole number of 32-bit words. `identification` goes into an IPv4 header, and nowhere over IPv6.
    public func tcp(
        from source: HostEndpoint,
        to destination: HostEndpoint,
        sequence: UInt32,
        acknowledgment: UInt32 = 0,
        flags: TCPFlags,
        options: [UInt8] = [],
        payload: [UInt8] = [],
        identification: UInt16 = 0
    ) -> [UInt8] {
        precondition(options.count % 4 == 0 && options.count <= 40, "TCP options are at most ten 32-bit words")
        var segment: [UInt8] = []
        segment.appendBigEndian(source.port)
        segment.appendBigEndian(destination.port)
        segment.appendBigEndian(sequence)
        segment.appendBigEndian(acknowledgment)
        segment += [UInt8((20 + options.count) / 4) << 4, flags.rawValue]
        segment.appendBigEndian(UInt16(65535))
        segment.appendBigEndian(UInt32(0))
        segment += options + payload
        let sum = transportChecksum(of: segment, protocol: 6, from: source.address, to: destination.address)
        segment.replaceSubrange(16..<18, with: [UInt8(sum >> 8), UInt8(sum & 0xFF)])
        return frame(segment, protocol: 6, from: source.address, to: destination.address, identification)
    }

    /// A frame that carries a UDP datagram.
    public func udp(
        from source: HostEndpoint,
        to destination: HostEndpoint,
        payload: [UInt8],
        identification: UInt16 = 0
    ) -> [UInt8] {
        var datagram: [UInt8] = []
        datagram.appendBigEndian(source.port)
        datagram.appendBigEndian(destination.port)
        datagram.appendBigEndian(UInt16(8 + payload.count))
        datagram.appendBigEndian(UInt16(0))
        datagram += payload
        var sum = transportChecksum(of: datagram, protocol: 17, from: source.address, to: destination.address)
        // RFC 768: "If the computed checksum is zero, it is transmitted as all ones".
        if sum == 0 { sum = 0xFFFF }
        datagram.replaceSubrange(6..<8, with: [UInt8(sum >> 8), UInt8(sum & 0xFF)])
        return frame(datagram, protocol: 17, from: source.address, to: destination.address, identification)
    }

    /// A frame with any payload, padded to the 60 bytes that Ethernet asks for.
    ///
    /// The addresses are six bytes each; `etherType` says what the payload is: 0x0800 for IPv4, 0x86DD for IPv6.
    public func ethernet(
        from source: [UInt8],
        to destination: [UInt8],
        etherType: UInt16,
        payload: [UInt8]
    ) -> [UInt8] {
        var frame = destination + source
        if let vlan {
            frame.appendBigEndian(UInt16(0x8100))
            frame.appendBigEndian(vlan & 0x0FFF)
        }
        frame.appendBigEndian(etherType)
        frame += payload
        return frame + [UInt8](repeating: 0, count: max(0, 60 - frame.count))
    }

    private func frame(
        _ payload: [UInt8],
        protocol number: UInt8,
        from source: HostAddress,
        to destination: HostAddress,
        _ identification: UInt16
    ) -> [UInt8] {
        precondition(source.isIPv6 == destination.isIPv6, "both ends of a packet speak the same version of IP")
        let packet =
            source.isIPv6
            ? FrameBuilder.ipv6(payload, protocol: number, from: source, to: destination)
            : FrameBuilder.ipv4(payload, protocol: number, from: source, to: destination, identification)
        return ethernet(
            from: source.ethernetAddress,
            to: destination.ethernetAddress,
            etherType: source.isIPv6 ? 0x86DD : 0x0800,
            payload: packet
        )
    }

    /// An IPv4 packet without options that must not be fragmented.
    ///
    /// - Source: RFC 791 §3.1.
    public static func ipv4(
        _ payload: [UInt8],
        protocol number: UInt8,
        from source: HostAddress,
        to destination: HostAddress,
        _ identification: UInt16 = 0
    ) -> [UInt8] {
        var header: [UInt8] = [0x45, 0]
        header.appendBigEndian(UInt16(20 + payload.count))
        header.appendBigEndian(identification)
        header += [0x40, 0, 64, number, 0, 0]
        header += source.bytes + destination.bytes
        let sum = internetChecksum(header)
        header.replaceSubrange(10..<12, with: [UInt8(sum >> 8), UInt8(sum & 0xFF)])
        return header + payload
    }

    /// An IPv6 packet without extension headers.
    ///
    /// - Source: RFC 8200 §3.
    public static func ipv6(
        _ payload: [UInt8],
        protocol number: UInt8,
        from source: HostAddress,
        to destination: HostAddress
    ) -> [UInt8] {
        var header: [UInt8] = [0x60, 0, 0, 0]
        header.appendBigEndian(UInt16(payload.count))
        header += [number, 64]
        return header + source.bytes + destination.bytes + payload
    }
}

/// The ones' complement of the ones' complement sum of 16-bit words.
///
/// - Source: RFC 1071 §1.
func internetChecksum(_ bytes: [UInt8]) -> UInt16 {
    var sum: UInt64 = 0
    for (index, byte) in bytes.enumerated() { sum += index % 2 == 0 ? UInt64(byte) << 8 : UInt64(byte) }
    while sum > 0xFFFF { sum = (sum & 0xFFFF) + (sum >> 16) }
    return ~UInt16(sum)
}

/// The checksum of a TCP segment or UDP datagram with its pseudo-header.
///
/// - Source: RFC 9293 §3.1; RFC 8200 §8.1.
private func transportChecksum(
    of bytes: [UInt8],
    protocol number: UInt8,
    from source: HostAddress,
    to destination: HostAddress
) -> UInt16 {
    // The 32-bit length of IPv6's pseudo-header sums up to the same as the 16-bit one of IPv4's.
    var pseudoHeader = source.bytes + destination.bytes
    pseudoHeader.appendBigEndian(UInt32(bytes.count))
    pseudoHeader.appendBigEndian(UInt32(number))
    return internetChecksum(pseudoHeader + bytes)
}
