public import AuthScanWire

/// A server as a client names it: scheme, host and port.
///
/// One value is held by every transaction and session with the server: it is as small as a reference.
///
/// - Source: RFC 9110 §4.3.1.
public struct Origin: Sendable {
    private final class Content: Sendable {
        let scheme: String
        let host: String
        let port: Int
        let isLoopback: Bool

        init(scheme: String, host: String, port: Int) {
            self.scheme = scheme
            self.host = host
            self.port = port
            isLoopback =
                host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
                || Origin.isAddress(host) && host.hasPrefix("127.")
        }
    }

    private let content: Content

    /// `http` or `https`; `kerberosScheme` for a realm of Kerberos.
    public var scheme: String { content.scheme }

    /// The host's name or address, in lower case; an IPv6 address in brackets.
    public var host: String { content.host }

    /// The TCP port, the scheme's own where the client named none.
    public var port: Int { content.port }

    /// The scheme by which a realm of Kerberos is listed among the protection spaces, with the realm as its host.
    public static let kerberosScheme = "kerberos"

    /// Creates an origin; the host is put into lower case.
    public init(scheme: String, host: String, port: Int) {
        content = Content(scheme: scheme, host: host.lowercased(), port: port)
    }

    /// The origin that an authority (`host`, `host:port`, `[v6]:port`, perhaps behind `user@`) names under a scheme.
    ///
    /// `nil` for an empty host or a port that is not a number.
    ///
    /// - Source: RFC 3986 §3.2.
    public init?(scheme: String, authority: some StringProtocol) {
        let text = Substring(authority)
        let userEnd = text.utf8.lastIndex(of: UInt8(ascii: "@")).map { text.utf8.index(after: $0) }
        let hostAndPort = text[(userEnd ?? text.startIndex)...]
        let portStart = Origin.portSeparator(in: hostAndPort)
        let host = hostAndPort[..<(portStart ?? hostAndPort.endIndex)]
        guard !host.isEmpty else { return nil }
        var port = scheme == "https" ? 443 : 80
        if let portStart {
            let digits = hostAndPort[hostAndPort.utf8.index(after: portStart)...]
            if !digits.isEmpty {
                guard let number = UInt16(digits) else { return nil }
                port = Int(number)
            }
        }
        self.init(scheme: scheme, host: String(host), port: port)
    }

    /// The origin of an endpoint that was reached without a name.
    public init(scheme: String, endpoint: Endpoint) {
        let address = endpoint.address.isIPv4 ? "\(endpoint.address)" : "[\(endpoint.address)]"
        self.init(scheme: scheme, host: address, port: Int(endpoint.port))
    }

    /// The server that a TLS connection was meant for: the tunnel's, the one that the hello names, or the one at the address.
    public init(of tls: TLSConnection, on connection: Connection) {
        let endpoint = Origin(scheme: "https", endpoint: connection.server)
        if let tunnel = tls.tunnel, let origin = Origin(scheme: "https", authority: tunnel) {
            self = origin
        } else if let name = tls.clientHello?.serverName {
            self.init(scheme: "https", host: name, port: endpoint.port)
        } else {
            self = endpoint
        }
    }

    /// The colon before the port; a colon inside an IPv6 literal's brackets is none.
    private static func portSeparator(in text: Substring) -> Substring.Index? {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        if let bracket = text.utf8.lastIndex(of: UInt8(ascii: "]")), bracket > colon { return nil }
        return colon
    }

    /// Whether the host is written as an address rather than a name.
    public var isAddress: Bool { Origin.isAddress(host) }

    private static func isAddress(_ host: String) -> Bool {
        host.hasPrefix("[") || (!host.isEmpty && host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) })
    }

    /// Whether the host is the machine itself: `localhost`, a name below it, or a loopback address.
    ///
    /// - Source: RFC 6761 §6.3.
    public var isLoopback: Bool { content.isLoopback }

    /// The origin without the port where that is the scheme's own, as a person writes it: `http://intranet.example`.
    public var shortDescription: String {
        port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : description
    }
}

extension Origin: Hashable {
    /// Whether scheme, host and port are the same.
    public static func == (left: Self, right: Self) -> Bool {
        if left.content === right.content { return true }
        return left.port == right.port && left.host == right.host && left.scheme == right.scheme
    }

    /// Feeds scheme, host and port.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(host)
        hasher.combine(port)
    }
}

extension Origin: CustomStringConvertible {
    /// The origin with its port: `http://intranet.example:80`.
    public var description: String { "\(scheme)://\(host):\(port)" }
}
