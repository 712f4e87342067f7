import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMLBSplitsHandshake: Rule {
    let page = RulePage(
        id: "ntlm-lb-splits-handshake",
        severity: .error,
        step: .handshake,
        title: "Legs of one NTLM handshake reach different back ends",
        what:
            "Challenges of different computers arrive over one name or connection, and the answers to them are refused.",
        why: """
            A load balancer that chooses a back end for each request hands the AUTHENTICATE_MESSAGE to a computer that \
            never gave the challenge, and that refuses it, however right the password is.
            """,
        fix: [
            .network(
                """
                Keep a client's connection on one back end through the handshake: connection affinity or TCP mode \
                (HAProxy: no http-reuse and option prefer-last-server; nginx: the ntlm directive of the upstream).
                """
            )
        ],
        verify: "All challenges on one client connection name the same computer.",
        lookAlikes: ["Different computers on different connections whose handshakes succeed: ordinary load balancing."],
        supersedes: [
            "ntlm-credential-rejected", "stale-credentials-lockout", "ntlm-type3-on-new-connection",
            "ntlm-conn-closed-after-challenge", "ntlm-handshake-abandoned", "challenge-unanswered",
        ],
        sources: ["MS-NLMP §2.2.2.1", "MS-NTHT §1.3"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB07}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """
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
            < 200
            connection 2
            > GET /style.css
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB07}
            > GET /style.css
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """
        ]
    )

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter { $0.outcome == .rejected && $0.authenticate != nil }
        guard let decisive = refused.first?.authenticate, !chain.endsInSuccess else { return .notApplicable }
        guard let message = splitOverServers(refused, chain.context) ?? splitOverComputers(chain) else { return .clear }
        let transactions = chain.exchanges.filter { $0.ntlmChallenge != nil }.flatMap(\.legs).map(\.transaction)
        return .found([page.finding(message, at: .request(decisive.leg.transaction), in: transactions)])
    }

    /// A handshake, or its copy behind the load balancer, whose legs went to several servers.
    private func splitOverServers(_ refused: [AuthenticationExchange], _ context: CaptureContext) -> String? {
        let copies = refused + refused.compactMap(context.forwarded)
        guard let split = copies.first(where: context.isSpreadOverServers) else { return nil }
        let servers = split.connections.map { "\(context.connection($0).server) (connection \($0))" }
        return "the legs of one handshake reach \(servers.joined(separator: " and ")), and the answer is refused"
    }

    /// Challenges of several computers under one name.
    private func splitOverComputers(_ chain: Chain) -> String? {
        var computers: [String] = []
        for exchange in chain.exchanges {
            guard let name = exchange.ntlmChallenge?.message.backEnd, !computers.contains(name) else { continue }
            computers.append(name)
        }
        guard computers.count > 1 else { return nil }
        return "challenges come from \(computers.prefix(4).joined(separator: " and ")), and the answers are refused"
    }
}

extension ChallengeMessage {
    /// The computer that gave the challenge, as it names itself; `nil` where it does not.
    fileprivate var backEnd: String? {
        targetInfo.text(of: .nbComputerName) ?? targetInfo.text(of: .dnsComputerName)
    }
}
