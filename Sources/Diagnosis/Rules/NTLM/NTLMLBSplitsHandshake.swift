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
            "ntlm-credential-rejected", "ntlm-login-loop", "stale-credentials-lockout", "ntlm-type3-on-new-connection",
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
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB07}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # Behind the load balancer.
            connection 1 from 198.51.100.1 to 198.51.100.12:80
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            closed by client
            connection 2 from 198.51.100.1 to 198.51.100.13:80
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1
            > GET /EWS/Exchange.asmx
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=EXCAS02}
              X-FEServer: EXCAS02
            > ↓GET /EWS/Exchange.asmx
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
              X-FEServer: EXCAS03
            """,
        ],
        notTriggering: [
            """
            # The same computer each time: the credential is wrong.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
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
            """,
        ],
        samples: ["ntlm-handshake-split"]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedNTLMHandshakes
        guard !refused.isEmpty else { return .notApplicable }
        guard
            let split = splitOverServers(refused, chain.context) ?? splitOverFrontEnds(refused)
                ?? splitOverComputers(refused, in: chain)
        else { return .clear }
        let decisive = split.exchanges.last?.authenticate ?? refused[0].authenticate
        guard let decisive else { return .clear }
        let transactions = (split.exchanges + refused).flatMap(\.legs).map(\.transaction)
        return .found([
            page.finding(
                split.message,
                at: .request(decisive.leg.transaction),
                in: transactions.uniqued,
                confidence: split.confidence
            )
        ])
    }

    private struct Split {
        let message: String
        /// The handshakes that show it; the last one of them was refused.
        let exchanges: [AuthenticationExchange]
        var confidence = Confidence.certain
    }

    /// A handshake, or its copy behind the load balancer, whose legs went to several servers.
    private func splitOverServers(_ refused: [AuthenticationExchange], _ context: CaptureContext) -> Split? {
        for exchange in refused {
            let copies = [exchange, context.forwarded(exchange)].compactMap { $0 }
            guard let split = copies.first(where: context.isSpreadOverServers) else { continue }
            let servers = split.connections.map { "\(context.connection($0).server) (connection \($0))" }
            let message =
                "the legs of one handshake reach \(servers.joined(separator: " and ")), and the answer is refused"
            return Split(message: message, exchanges: [exchange])
        }
        return nil
    }

    /// A handshake whose challenge and refusal name different Exchange front ends.
    private func splitOverFrontEnds(_ refused: [AuthenticationExchange]) -> Split? {
        for exchange in refused {
            guard let challenger = exchange.ntlmChallenge?.leg.transaction.response?.fields.text(of: .xFEServer),
                let refuser = exchange.lastLeg.transaction.response?.fields.text(of: .xFEServer),
                challenger.lowercased() != refuser.lowercased()
            else { continue }
            let message = "\(challenger) gave the challenge, and \(refuser) refused the answer to it (X-FEServer)"
            return Split(message: message, exchanges: [exchange])
        }
        return nil
    }

    /// Challenges of two computers in a row: on one connection, or in handshakes that both failed.
    private func splitOverComputers(_ refused: [AuthenticationExchange], in chain: Chain) -> Split? {
        let numbers = Set(refused.map(\.number))
        let challenged = chain.exchanges.filter { $0.ntlmChallenge?.message.backEnd != nil }
        for (first, second) in zip(challenged, challenged.dropFirst()) {
            guard let one = first.ntlmChallenge, let other = second.ntlmChallenge, let name = one.message.backEnd,
                let otherName = other.message.backEnd, name.lowercased() != otherName.lowercased(),
                numbers.contains(first.number) || numbers.contains(second.number),
                other.leg.transaction.startTime.seconds(since: one.leg.transaction.endTime) <= Self.window
            else { continue }
            let isOneConnection = one.leg.transaction.connection == other.leg.transaction.connection
            // A farm may well let one handshake through and refuse another: only where both fail is the farm suspect.
            guard isOneConnection || (first.outcome != .accepted && second.outcome != .accepted) else { continue }
            let place =
                isOneConnection
                ? "connection \(one.leg.transaction.connection)"
                : "connections \(one.leg.transaction.connection) and \(other.leg.transaction.connection)"
            let doubt = isOneConnection ? "" : ", unless the credential itself is wrong"
            return Split(
                message: "\(name) and \(otherName) give challenges on \(place), and the answers are refused\(doubt)",
                exchanges: numbers.contains(second.number) ? [first, second] : [second, first],
                confidence: isOneConnection ? .certain : .likely
            )
        }
        return nil
    }

    /// How far apart two challenges may be to belong to one login, in seconds.
    private static let window = 60.0
}

extension ChallengeMessage {
    /// The computer that gave the challenge, as it names itself; `nil` where it does not.
    fileprivate var backEnd: String? {
        targetInfo.text(of: .nbComputerName) ?? targetInfo.text(of: .dnsComputerName)
    }
}

extension [Transaction] {
    /// Each transaction once, in packet order.
    fileprivate var uniqued: [Transaction] {
        var seen: Set<Int> = []
        return filter { seen.insert($0.number).inserted }.sorted { $0.packet < $1.packet }
    }
}
