import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions

struct NTLMTokenReplayed: Rule {
    let page = RulePage(
        id: "ntlm-token-replayed",
        severity: .error,
        step: .handshake,
        title: "Used AUTHENTICATE_MESSAGE is sent again",
        what: """
            The same AUTHENTICATE_MESSAGE, byte for byte, is in a second request, which is refused.
            """,
        why: """
            The response is bound to the server's challenge, and each handshake has another one: a message that was \
            used once is worth nothing in the next.
            """,
        fix: [
            .client(
                """
                Let the URL loading system run the handshake on each connection; never keep the Authorization field \
                of NTLM, nor set it with setValue(_:forHTTPHeaderField:).
                """
            )
        ],
        verify: "Each AUTHENTICATE_MESSAGE is in one request.",
        lookAlikes: [
            "A TCP retransmission: the request is there once.",
            "A request that is repeated because its connection was reset before the answer.",
        ],
        supersedes: [
            "ntlm-type3-on-new-connection", "ntlm-credential-rejected", "ntlm-login-loop", "stale-credentials-lockout",
        ],
        sources: ["MS-NLMP §3.1.5.1.2", "MS-NTHT §1.3"],
        triggering: [
            """
            connection 1
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {hex 4E544C4D53535000030000001800180034000000000000004C000000000000004C000000050005004C000000000000004C000000101112131415161718191A1B1C1D1E1F2021222324252627616C696365}
            < 200
            connection 2
            > ↓GET /b
              Authorization: NTLM {hex 4E544C4D53535000030000001800180034000000000000004C000000000000004C000000050005004C000000000000004C000000101112131415161718191A1B1C1D1E1F2021222324252627616C696365}
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {hex 4E544C4D53535000030000001800180034000000000000004C000000000000004C000000050005004C000000000000004C000000101112131415161718191A1B1C1D1E1F2021222324252627616C696365}
            reset by server
            connection 2
            > GET /b
              Authorization: NTLM {hex 4E544C4D53535000030000001800180034000000000000004C000000000000004C000000050005004C000000000000004C000000101112131415161718191A1B1C1D1E1F2021222324252627616C696365}
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """,
            """
            connection 1
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {hex 4E544C4D53535000030000001800180034000000000000004C000000000000004C000000050005004C000000000000004C000000101112131415161718191A1B1C1D1E1F2021222324252627616C696365}
            < 200
            connection 2
            > GET /b
              Authorization: NTLM {hex 4E544C4D53535000030000001800180034000000000000004C000000000000004C000000050005004C000000000000004C000000303132333435363738393A3B3C3D3E3F4041424344454647616C696365}
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.ntlm, .refusal]

    func findings(in chain: Chain) -> Outcome {
        var first: [Secret<[UInt8]>: (message: AuthenticateMessage, transaction: Transaction)] = [:]
        var replays: [(original: Transaction, replay: Transaction)] = []
        for exchange in chain.exchanges where exchange.isNTLM {
            for leg in exchange.legs {
                // A message without a response is the same in every handshake.
                guard let message = leg.ntlm?.authenticate, !message.isAnonymous, message.response != .none,
                    let proof = message.ntChallengeResponse
                else { continue }
                guard let (earlier, original) = first[proof], earlier == message else {
                    first[proof] = (message, leg.transaction)
                    continue
                }
                let isRefused = leg.transaction.status == chain.target.refusalStatus
                // Where the first request got no answer, the client may well repeat it as it was.
                guard isRefused, original.status != nil, !chain.isMadeGood(after: leg.transaction) else { continue }
                replays.append((original, leg.transaction))
            }
        }
        guard let (original, replay) = replays.first else { return .clear }
        let times = replays.count == 1 ? "" : ", \(replays.count) times in all"
        return .found([
            page.finding(
                "the AUTHENTICATE_MESSAGE of packet \(original.packet) is sent again\(times), and refused",
                at: .request(replay),
                in: replays.map(\.replay) + [original]
            )
        ])
    }
}
