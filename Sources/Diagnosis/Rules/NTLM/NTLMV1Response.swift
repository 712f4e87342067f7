import AuthScanSchemes
import AuthScanSessions

struct NTLMV1Response: Rule {
    let page = RulePage(
        id: "ntlm-v1-response",
        severity: .error,
        step: .accept,
        title: "NTLMv1 response used",
        what: "The AUTHENTICATE_MESSAGE carries a response of 24 bytes: NTLMv1, LM, or NTLM2 session security.",
        why: """
            Hardened domains refuse anything older than NTLMv2 (LmCompatibilityLevel 5). Where it is accepted, the response \
            can be turned into the password's hash with little effort.
            """,
        fix: [
            .client("Use a library, or a setting, that speaks NTLMv2; URLSession does."),
            .server("Do not lower LmCompatibilityLevel for a client's sake."),
        ],
        verify: "NtChallengeResponse is longer than 24 bytes.",
        lookAlikes: ["An NTLMv2 response beside an LM response of zeros: right."],
        supersedes: ["ntlm-credential-rejected", "stale-credentials-lockout"],
        sources: ["MS-NLMP §2.2.2.6", "MS-NLMP §3.3.1"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP response=NTLMv1}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP response=NTLM2-session}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP response=LM}
            < 401
              WWW-Authenticate: NTLM
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
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP response=NTLMv2}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE anonymous}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.weakResponse]

    func findings(in chain: Chain) -> Outcome {
        let weak = chain.exchanges.filter { exchange in
            guard let kind = exchange.authenticate?.message.response else { return false }
            return kind == .ntlmV1 || kind == .ntlm2Session || kind == .lm
        }
        guard let first = weak.first?.authenticate else { return .clear }
        let isRefused = weak.contains {
            $0.outcome == .rejected && $0.connections.count == 1 && !chain.isMadeGood(after: $0.lastLeg.transaction)
        }
        let name = first.message.response.rawValue
        let message = "the client answers with an \(name) response\(isRefused ? ", and is refused" : "")"
        return .found([
            page.finding(
                message,
                at: .request(first.leg.transaction),
                in: weak.map(\.lastLeg.transaction),
                severity: isRefused ? .error : .warning,
                confidence: isRefused ? .likely : .certain
            )
        ])
    }
}
