import AuthScanSessions
import AuthScanWire

/// The host that a report is limited to: a name or an address, perhaps with a port.
struct HostSelector: Hashable, Sendable {
    /// The name or address in lower case, an IPv6 address in brackets.
    let host: String

    /// The port; `nil` for all.
    let port: Int?

    /// Reads a host as people write one: also as a URL, with the dot of a complete name, or as a bare IPv6 address.
    init(_ text: String) {
        var rest = text.lowercased()[...]
        for scheme in ["http://", "https://"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.utf8.count) }
        rest = rest.prefix { $0 != "/" }
        // RFC 3986 §3.2.2: only brackets tell an address's colons from the one before a port.
        if !rest.hasPrefix("["), rest.count(where: { $0 == ":" }) > 1 { rest = "[\(rest)]" }
        let origin = Origin(scheme: "http", authority: rest)
        host = HostSelector.name(origin?.host ?? String(rest))
        port = rest.last != "]" && rest.contains(":") ? origin?.port : nil
    }

    /// Whether an origin is the host's.
    func matches(_ origin: Origin) -> Bool {
        HostSelector.name(origin.host) == host && (port == nil || port == origin.port)
    }

    /// Whether an address is the host's, whatever name it is known by.
    func matches(_ endpoint: Endpoint) -> Bool { matches(Origin(scheme: "http", endpoint: endpoint)) }

    /// RFC 1034 §3.1: a complete name ends with a dot, which people leave out.
    private static func name(_ host: String) -> String { host.hasSuffix(".") ? String(host.dropLast()) : host }
}
