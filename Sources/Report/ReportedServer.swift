import AuthScanBytes
import AuthScanSessions
import AuthScanWire

/// A server, and what App Transport Security asks of it.
struct ReportedServer {
    let origin: Origin
    let security: TransportSecurity

    /// The servers of a capture: those of its TLS connections, then those that ask for credentials in cleartext.
    static func all(in report: Report) -> [ReportedServer] {
        var list = ServerList(overTLSIn: report.capture)
        for space in report.spaces where space.origin.scheme == "http" && !space.isProxy {
            list.note(space.origin, .cleartext)
        }
        return list.servers
    }

    /// The servers of a capture's TLS connections.
    static func overTLS(in report: Report) -> [ReportedServer] { ServerList(overTLSIn: report.capture).servers }

    /// Whether one of the clients is an app or a browser on one of Apple's systems, which the requirements bind; the first
    /// exchanges tell.
    static func concernsAppleClients(_ report: Report) -> Bool {
        report.sessions.exchanges.prefix(exchangeLimit).contains { exchange in
            guard let agent = exchange.legs.first?.transaction.userAgentBytes else { return false }
            return marks.contains { agent.contains(octets: $0) }
        }
    }

    private static let marks = ["CFNetwork/", "iPhone", "iPad", "Macintosh"].map { Array($0.utf8) }
    /// How many exchanges are looked at.
    private static let exchangeLimit = 256
}

/// Servers, each once, with what all their connections show.
private struct ServerList {
    private(set) var servers: [ReportedServer] = []
    private var places: [Origin: Int] = [:]

    init(overTLSIn capture: WireCapture) {
        for tls in capture.tlsConnections where tls.serverHelloPacket != nil {
            note(Origin(of: tls, on: capture.connections[tls.connection - 1]), TransportSecurity(tls))
        }
    }

    mutating func note(_ origin: Origin, _ security: TransportSecurity) {
        if let place = places[origin] {
            let joined = servers[place].security.joined(with: security)
            servers[place] = ReportedServer(origin: origin, security: joined)
        } else {
            places[origin] = servers.count
            servers.append(ReportedServer(origin: origin, security: security))
        }
    }
}
