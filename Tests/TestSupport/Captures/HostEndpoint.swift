/// An address that frames are built with.
public struct HostAddress: Hashable, Sendable {
    /// Four bytes for IPv4, sixteen for IPv6, most significant first.
    public let bytes: [UInt8]

    /// Creates an IPv4 address from its dotted decimal form; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let bytes = parts.compactMap { $0 }
        guard parts.count == 4, bytes.count == 4 else { return nil }
        self.bytes = bytes
    }

    /// Creates an IPv4 address.
    public init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        bytes = [first, second, third, fourth]
    }

    /// Creates an IPv6 address from its eight groups; missing ones are zero.
    public init(ipv6 groups: [UInt16]) {
        bytes = (groups + [UInt16](repeating: 0, count: 8)).prefix(8).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    /// Whether it is an IPv6 address.
    public var isIPv6: Bool { bytes.count == 16 }

    /// The documentation address 2001:db8::/96 with this IPv4 address at its end; loopback stays loopback.
    public var overIPv6: HostAddress {
        guard !isIPv6 else { return self }
        guard bytes[0] != 127 else { return HostAddress(ipv6: [0, 0, 0, 0, 0, 0, 0, 1]) }
        let low = stride(from: 0, to: 4, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return HostAddress(ipv6: [0x2001, 0x0DB8, 0, 0, 0, 0] + low)
    }

    /// A locally administered Ethernet address made from the last four bytes.
    var ethernetAddress: [UInt8] { [0x02, 0x00] + bytes.suffix(4) }
}

/// An address and a port that segments and datagrams are built with.
public struct HostEndpoint: Hashable, Sendable {
    /// The host's address.
    public var address: HostAddress

    /// The TCP or UDP port.
    public var port: UInt16

    /// Creates an endpoint.
    public init(_ address: HostAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// The same port on the address that stands for this one in IPv6.
    public var overIPv6: HostEndpoint { HostEndpoint(address.overIPv6, port: port) }
}
