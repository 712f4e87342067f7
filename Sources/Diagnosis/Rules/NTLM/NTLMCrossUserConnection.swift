import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMCrossUserConnection: Rule {
    let page = RulePage(
        id: "ntlm-cross-user-connection",
        severity: .error,
        title: "A connection that one user authenticated carries another one's requests",
        what: """
            Behind a proxy, a bare request of another client (X-Forwarded-For) goes out on a connection that an NTLM or \
            Negotiate handshake authenticated, and is served.
            """,
        why: """
            These schemes authenticate the connection. A proxy that shares it among its clients lets one user act, and \
            read, as another.
            """,
        fix: [
            .network(
                """
                Never share a server connection that was authenticated: HAProxy option http-server-close or \
                http-reuse never; nginx without keepalive to this upstream, or with the ntlm directive.
                """
            )
        ],
        verify: "All requests on an authenticated connection name the same client in X-Forwarded-For.",
        lookAlikes: ["Many users behind one address, which nothing in the requests tells apart: not to be decided."],
        sources: ["RFC 4559 §6"],
        triggering: [
            """
            connection 1 from 198.51.100.1 to 198.51.100.12:80
            > GET /app
              X-Forwarded-For: 192.0.2.10
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              X-Forwarded-For: 192.0.2.10
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            > ↓GET /mail
              X-Forwarded-For: 192.0.2.77
            < 200
            """
        ],
        notTriggering: [
            """
            # The same client from another port.
            connection 1
            > GET /app
              X-Forwarded-For: 10.44.1.17:50112
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE}
            > GET /app
              X-Forwarded-For: 10.44.1.17:50112
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice}
            < 200
            > GET /app/2
              X-Forwarded-For: 10.44.1.17:50344, 10.2.0.9
            < 200
            """,
            """
            connection 1 from 198.51.100.1 to 198.51.100.12:80
            > GET /app
              X-Forwarded-For: 192.0.2.10
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              X-Forwarded-For: 192.0.2.10
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            > GET /mail
              X-Forwarded-For: 192.0.2.10
            < 200
            """,
            """
            # The server asks the second user, too.
            connection 1 from 198.51.100.1 to 198.51.100.12:80
            > GET /app
              X-Forwarded-For: 192.0.2.10
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              X-Forwarded-For: 192.0.2.10
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            > GET /mail
              X-Forwarded-For: 192.0.2.77
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusal, .tokenScheme, .accepted]

    func findings(in chain: Chain) -> Outcome {
        for entry in chain.entries where entry.transaction.isServed {
            guard let login = entry.connectionAuthenticatedBy.map({ chain.exchanges[$0] }),
                let owner = login.lastLeg.transaction.forwardedFor, let other = entry.transaction.forwardedFor,
                owner.lowercased() != other.lowercased()
            else { continue }
            let message =
                "a request of \(other) is served on connection \(entry.transaction.connection), which \(owner) "
                + "authenticated as \(login.accountInQuotes)"
            let transactions = [entry.transaction, login.lastLeg.transaction]
            return .found([page.finding(message, at: .request(entry.transaction), in: transactions)])
        }
        return .clear
    }
}

extension Transaction {
    /// The address of the client that the first proxy on the way saw; `nil` where no proxy says.
    ///
    /// Some proxies add the client's port, which changes from connection to connection.
    /// - Source: RFC 7239 §6 (node identifiers).
    fileprivate var forwardedFor: Substring? {
        guard let field = request?.fields.text(of: .xForwardedFor) else { return nil }
        let node = field.prefix { $0 != "," }.filter { $0 != " " && $0 != "\"" }[...]
        let address: Substring
        if node.hasPrefix("[") {
            address = node.dropFirst().prefix { $0 != "]" }
        } else if node.count(where: { $0 == ":" }) == 1 {
            address = node.prefix { $0 != ":" }
        } else {
            address = node
        }
        // `unknown` and the names that hide an address tell nobody apart.
        let isAddress = !address.isEmpty && address.utf8.allSatisfy { $0.isHexDigit || $0 == 0x2E || $0 == 0x3A }
        return isAddress ? address : nil
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { (0x30...0x39).contains(self) || (0x41...0x46).contains(self & 0xDF) }
}
