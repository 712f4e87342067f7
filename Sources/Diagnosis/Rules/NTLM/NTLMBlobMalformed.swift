import AuthScanSchemes
import AuthScanSessions

struct NTLMBlobMalformed: Rule {
    let page = RulePage(
        id: "ntlm-blob-malformed",
        severity: .error,
        step: .accept,
        title: "NTLMv2 client challenge is broken",
        what: """
            The refused NTLMv2 response has a client challenge that does not follow its format, or leaves out what \
            the server's target information says.
            """,
        why: """
            The server reads the client challenge back to compute the proof and looks for its own attributes in it. \
            Windows refuses what Samba may take.
            """,
        fix: [
            .client(
                """
                Update the library, or report the fault: the list of AV pairs begins 28 bytes behind the start of \
                the client challenge, repeats all of the server's pairs, and ends in MsvAvEOL.
                """
            )
        ],
        verify: """
            The response repeats the pairs of the challenge, in a list that ends in MsvAvEOL and at most eight zero \
            bytes behind it.
            """,
        lookAlikes: [
            "Four zero bytes after the list: usual.",
            "A server that sends no target information: there is nothing to repeat.",
        ],
        supersedes: ["ntlm-credential-rejected", "ntlm-login-loop", "stale-credentials-lockout"],
        sources: ["MS-NLMP §2.2.2.7", "MS-NLMP §2.2.2.1"],
        triggering: [
            """
            # Eight zero bytes before the list: it ends where it begins.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP blob-gap=8 mic=no}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # A warning: none of the server's pairs comes back.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP pairs=no mic=no}
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
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP blob-gap=8 mic=no}
            < 200
            """,
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
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE target-info=no flags=0x00008205}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        for exchange in chain.refusedWholeNTLMHandshakes {
            guard let (message, leg) = exchange.authenticate, let response = message.ntlmV2 else { continue }
            if let incompleteness = chain.incompleteness(of: [leg.transaction]) { return .cannotTell(incompleteness) }
            let missing = exchange.ntlmChallenge.map { missingPairs(of: $0.message, in: response) } ?? []
            let problem = message.responseProblems.first
            guard problem != nil || !missing.isEmpty else { continue }
            let text =
                problem.map { "the client challenge is malformed: \($0)" }
                ?? "the client challenge leaves out the server's \(missing.map(\.name).joined(separator: ", "))"
            return .found([
                page.finding(
                    text,
                    at: .request(leg.transaction),
                    in: [leg.transaction],
                    severity: problem == nil ? .warning : .error,
                    confidence: .likely
                )
            ])
        }
        return .clear
    }

    /// The server's attributes that the client does not repeat.
    private func missingPairs(of challenge: ChallengeMessage, in response: NTLMv2Response) -> [AVPair.ID] {
        challenge.targetInfo.map(\.id).filter { response.avPairs[$0] == nil }
    }
}
