import AuthScanSessions
import AuthScanWire

/// What the inventory says of App Transport Security: a line for each server that does not meet it.
enum TransportSecurityText {
    /// Servers in cleartext are named where a client is bound to the requirements; the others always.
    static func lines(_ report: Report) -> [String] {
        let servers =
            ReportedServer.concernsAppleClients(report)
            ? ReportedServer.all(in: report) : ReportedServer.overTLS(in: report)
        return servers.filter { !$0.security.failures.isEmpty }.map(line)
    }

    private static func line(_ server: ReportedServer) -> String {
        let failures = server.security.failures
        let lacking = failures.map(\.rawValue).joined(separator: ", ")
        let keys = failures.compactMap(\.exceptionKey).joined(separator: ", ")
        let lift = keys.isEmpty ? "" : "\(keys) in Info.plist would lift it; "
        return "\(PrintableText.visible(server.origin.description)) lacks \(lacking) (\(lift)better mend the server)"
    }
}
