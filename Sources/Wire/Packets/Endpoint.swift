/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable {
    /// The first eight bytes of the address, most significant first; zero for IPv4.
    public let high: UInt64

    /// The last eight bytes, most significant first; an IPv4 address is in the lower half.
    public let low: UInt64

    /// Whether it is an IPv4 address.
    public let isIPv4: Bool

    /// Creates an IPv4 address from its 32 bits, most significant first.
    public init(ipv4: UInt32) {
        high = 0
        low = UInt64(ipv4)
        isIPv4 = true
    }

    /// Creates an IPv6 address from its two halves, most significant first.
    public init(ipv6High: UInt64, low: UInt64) {
        high = ipv6High
        self.low = low
        isIPv4 = false
    }

    /// Whether the address names the machine itself: 127.0.0.0/8 or ::1.
    ///
    /// - Source: RFC 1122 §3.2.1.3; RFC 4291 §2.5.3.
    public var isLoopback: Bool { isIPv4 ? low >> 24 == 127 : high == 0 && low == 1 }
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal, or the canonical form of RFC 5952.
    public var description: String {
        if isIPv4 {
            return stride(from: 24, through: 0, by: -8).map { "\((low >> UInt64($0)) & 0xFF)" }.joined(separator: ".")
        }
        let groups = [high, low].flatMap { half in
            stride(from: 48, through: 0, by: -16).map { (half >> UInt64($0)) & 0xFFFF }
        }
        let zeros = IPAddress.longestZeroRun(groups)
        let text = groups.map { String($0, radix: 16) }
        // RFC 5952 §4.2.2: "::" must not be used to shorten just one 16-bit 0 field.
        guard zeros.count > 1 else { return text.joined(separator: ":") }
        return text[..<zeros.lowerBound].joined(separator: ":") + "::"
            + text[zeros.upperBound...].joined(separator: ":")
    }

    /// The first of the longest runs of zero groups (RFC 5952 §4.2.3); empty when there is none.
    private static func longestZeroRun(_ groups: [UInt64]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 }
            if index + 1 - start > longest.count { longest = start..<(index + 1) }
        }
        return longest
    }
}

/// One end of a TCP connection.
public struct Endpoint: Hashable, Sendable {
    /// The host's address.
    public let address: IPAddress

    /// The TCP port.
    public let port: UInt16

    /// Creates an endpoint.
    public init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }
}

extension Endpoint: CustomStringConvertible {
    /// `192.0.2.10:80`, or `[2001:db8::1]:80`.
    public var description: String { address.isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)" }
}
