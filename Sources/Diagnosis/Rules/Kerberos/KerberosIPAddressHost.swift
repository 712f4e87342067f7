import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct KerberosIPAddressHost: Rule {
    let page = RulePage(
        id: "kerberos-ip-address-host",
        severity: .warning,
        title: "Negotiate towards an address instead of a name",
        what: "The URL names the server by its IP address; the client answers Negotiate with NTLM, or not at all.",
        why: """
            Tickets are issued for service principals, and these have host names. For an address there is none, so that \
            clients fall back to NTLM or give up.
            """,
        fix: [
            .client("Use the server's DNS name in the URL, the one that its service principal has."),
            .network("Give the server a name in the DNS that its clients use."),
        ],
        verify: "The Host field has a name, and the token under Negotiate holds an AP-REQ.",
        lookAlikes: ["NTLM inside Negotiate that is accepted: it works, and is a note."],
        sources: ["RFC 4559 §4", "RFC 4120 §6.2.1"],
        triggering: [
            """
            connection 1
            > GET /app
              Host: 198.51.100.20
            < 401
              WWW-Authenticate: Negotiate
            > ↓GET /app
              Host: 198.51.100.20
              Authorization: Negotiate {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Host: 198.51.100.20:8080
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            # A note: NTLM is accepted.
            connection 1
            > ↓GET /app
              Host: [2001:db8::20]
              Authorization: Negotiate {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate {CHALLENGE_MESSAGE}
            > GET /app
              Host: [2001:db8::20]
              Authorization: Negotiate {AUTHENTICATE_MESSAGE user=alice}
            < 200
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            # The client has got a ticket all the same.
            connection 1
            > GET /app
              Host: 198.51.100.20
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            # NTLM is what the client wants.
            connection 1
            > GET /app
              Host: 198.51.100.20
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE}
            > GET /app
              Host: 198.51.100.20
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice}
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusal]

    func findings(in chain: Chain) -> Outcome {
        guard chain.space.origin.isAddress, !chain.space.isProxy else { return .notApplicable }
        guard !chain.exchanges.contains(where: { $0.apReq != nil }) else { return .clear }
        let tries = chain.exchanges.filter { $0.scheme.kind == .negotiate && $0.isNTLM }
        let silent =
            chain.exchanges.isEmpty ? chain.unansweredChallenges.map(\.transaction).filter(offersNegotiate) : []
        // Without a Host field nothing says what the URL was.
        let transactions = (tries.map { $0.legs[0].transaction } + silent).filter {
            $0.request?.fields.contains(.host) == true
        }
        guard let first = transactions.first else { return .clear }
        let answer = tries.isEmpty ? "sent no token" : "sent NTLM under Negotiate"
        return .found([
            page.finding(
                "the request goes to the address \(chain.space.origin.host), and the client \(answer)",
                at: .request(first),
                in: transactions,
                severity: chain.endsInSuccess ? .note : .warning,
                confidence: .likely
            )
        ])
    }

    private func offersNegotiate(_ transaction: Transaction) -> Bool {
        transaction.originFields.schemes.contains { $0.kind == .negotiate }
    }
}
