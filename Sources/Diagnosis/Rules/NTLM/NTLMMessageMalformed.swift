import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions

struct NTLMMessageMalformed: Rule {
    let page = RulePage(
        id: "ntlm-message-malformed",
        severity: .error,
        step: .handshake,
        title: "NTLM message contradicts itself",
        what: """
            A refused NTLM message has fields outside itself, flags that do not fit its contents, or names in another \
            encoding than its flags say.
            """,
        why: """
            Lengths and offsets tell the server where each field lies. What it cannot find it cannot check: it \
            answers 401, or 400.
            """,
        fix: [
            .client(
                """
                Update the library that builds the message, or report the fault: authscan decode shows the offset.
                """
            ),
            .network("Look for a proxy or header filter that cuts long fields."),
        ],
        verify: "authscan decode lists no problem for the token.",
        lookAlikes: [
            "A Version flag without a Version field, an offset beside an empty field: receivers accept them."
        ],
        supersedes: ["ntlm-credential-rejected", "ntlm-login-loop", "stale-credentials-lockout"],
        sources: ["MS-NLMP §2.2.1.1", "MS-NLMP §2.2.1.3"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP cut=200}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE domain=CORPORATION cut=44}
            < 400
            closed by server
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP cut=200}
            < 200
            """,
            """
            # The version is announced and missing: harmless.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE cut=32}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.ntlm, .failedTry]

    func findings(in chain: Chain) -> Outcome {
        for exchange in chain.exchanges where exchange.isNTLM && isRefused(exchange) {
            let transaction = exchange.lastLeg.transaction
            guard !chain.isMadeGood(after: transaction), let (name, problem) = fault(of: exchange.lastLeg) else {
                continue
            }
            if let incompleteness = chain.incompleteness(of: [transaction]) { return .cannotTell(incompleteness) }
            return .found([
                page.finding(
                    "the refused \(name) is malformed: \(problem)",
                    at: .request(transaction),
                    in: [transaction],
                    confidence: .likely
                )
            ])
        }
        return .clear
    }

    private func isRefused(_ exchange: AuthenticationExchange) -> Bool {
        exchange.outcome == .rejected || exchange.lastLeg.transaction.status == 400
    }

    private func fault(of leg: Leg) -> (name: String, problem: String)? {
        guard let message = leg.ntlm else { return nil }
        let problems = message.authenticate?.layoutProblems ?? message.problems.map(\.description)
        return problems.first.map { (message.messageName, $0) }
    }
}
