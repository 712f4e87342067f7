import AuthScanSessions
import AuthScanWire

/// Writes what App Transport Security asks of a server, and whether the capture shows it met.
struct TransportSecurityJSON {
    func write(_ json: inout JSONWriter, _ server: ReportedServer) {
        json.object { json in
            json.member("server", server.origin.description)
            json.key("requirements")
            json.array(TransportSecurity.Requirement.allCases) { json, requirement in
                json.object {
                    $0.member("requirement", requirement.rawValue)
                    $0.member("met", server.security.isMet(requirement))
                    $0.member("infoPlistKey", requirement.exceptionKey)
                }
            }
        }
    }
}
