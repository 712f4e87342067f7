import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMBodySentInEarlyLeg: Rule {
    let page = RulePage(
        id: "ntlm-body-sent-in-early-leg",
        severity: .warning,
        step: .handshake,
        title: "A large body is sent before the handshake is through",
        what: "The bare request or the NEGOTIATE_MESSAGE brings a body of more than 64 KiB, and is refused with it.",
        why: """
            Every leg but the last is refused as a matter of course, so that the body crosses the network two or three \
            times. Some servers close the connection rather than read what they refuse, and the handshake ends with it.
            """,
        fix: [
            .client(
                """
                Authenticate the connection with a small request first; or send Expect: 100-continue, or the legs before \
                the last with Content-Length: 0.
                """
            ),
            .server("Read the body of a refused request to its end, instead of closing the connection."),
        ],
        verify: "The body is sent once, with the AUTHENTICATE_MESSAGE or behind it.",
        lookAlikes: ["Small bodies: they cost nothing."],
        sources: ["RFC 9110 §10.1.1", "MS-NTHT §1.3"],
        triggering: [
            """
            connection 1
            > ↓POST /upload
              Authorization: NTLM {NEGOTIATE_MESSAGE}
              body 70000
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > POST /upload
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
              body 70000
            < 200
            """
        ],
        notTriggering: [
            """
            connection 1
            > POST /upload
              Authorization: NTLM {NEGOTIATE_MESSAGE}
              Content-Length: 0
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > POST /upload
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
              body 70000
            < 200
            """
        ]
    )

    let needs: ChainTraits = [.refusal, .tokenScheme]

    /// From which length on a body in vain is worth a word, in bytes.
    private static let limit = 65_536

    func findings(in chain: Chain) -> Outcome {
        let wasteful = chain.exchanges.filter { $0.isConnectionBound && !earlyBodies(of: $0).isEmpty }
        guard let first = wasteful.first, let decisive = earlyBodies(of: first).first else { return .clear }
        let isFatal = wasteful.contains { $0.outcome == .broken && !chain.isMadeGood(after: $0.lastLeg.transaction) }
        let count = wasteful.flatMap(earlyBodies).count
        let bytes = decisive.request?.bodyBytes ?? 0
        let message =
            "a body of \(bytes) bytes is sent before the handshake is through\(count == 1 ? "" : ", \(count) times in all")"
            + (isFatal ? ", and the server ends the connection" : "")
        return .found([
            page.finding(
                message,
                at: .request(decisive),
                in: wasteful.flatMap(earlyBodies),
                severity: isFatal ? .error : .warning
            )
        ])
    }

    /// The refused requests of an exchange that brought a large body.
    private func earlyBodies(of exchange: AuthenticationExchange) -> [Transaction] {
        exchange.transactions.filter {
            $0.status == exchange.target.refusalStatus && $0.request?.bodyBytes ?? 0 > Self.limit
                && $0 !== exchange.authenticate?.leg.transaction
        }
    }
}
