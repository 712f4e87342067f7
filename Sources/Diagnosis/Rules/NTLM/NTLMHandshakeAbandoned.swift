import AuthScanSchemes
import AuthScanSessions

struct NTLMHandshakeAbandoned: Rule {
    let page = RulePage(
        id: "ntlm-handshake-abandoned",
        severity: .error,
        title: "NTLM challenge given, client stays silent",
        what: """
            The client got the CHALLENGE_MESSAGE and never sent the AUTHENTICATE_MESSAGE, or was offered nothing but NTLM \
            and did not even begin.
            """,
        why: """
            After the challenge it is the client's turn. An app whose delegate is missing, does not call its completion \
            handler, or was released in between, leaves the load hanging at this point.
            """,
        fix: [
            .client(
                """
                NTLM is a session-level challenge: implement urlSession(_:didReceive:completionHandler:) or \
                webView(_:didReceive:completionHandler:), call the handler exactly once on every path, and keep the \
                URLSession strongly referenced until the task ends.
                """
            ),
            .client("Give the loader one credential: it sends all three messages itself."),
        ],
        verify: "A request with the AUTHENTICATE_MESSAGE follows on the same connection.",
        lookAlikes: [
            "A server that closes the connection after its challenge: ntlm-conn-closed-after-challenge.",
            "A dialog that waits for a person: the answer comes later.",
        ],
        explains: ["challenge-unanswered"],
        sources: ["MS-NTHT §1.3", "Apple: URLSessionDelegate"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < ↓401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            end wait 30 s
            """,
            """
            connection 1
            > GET /app
            < ↓401
              WWW-Authenticate: NTLM
            closed by client
            """,
            """
            # The server gives up first, but it has waited for the client.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < ↓401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            wait 120 s
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
            end wait 3 s
            """,
            """
            # Another request goes out in parallel, and then the capture ends.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            connection 2
            > GET /style.css
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # A person at the dialog.
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: NTLM
            wait 64 s
            closed by server
            connection 2
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            # Which of the offered schemes the client lacks cannot be seen: challenge-unanswered.
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.refusal]

    func findings(in chain: Chain) -> Outcome {
        guard !chain.traits.isDisjoint(with: [.tokenScheme, .unanswered]) else { return .clear }
        let waiting = waitingChallenges(in: chain)
        guard let last = waiting.last, !chain.hasCredentials(after: last), !chain.isMadeGood(after: last) else {
            return .clear
        }
        let lastRequests = Dictionary(
            chain.entries.map { ($0.transaction.connection, $0.transaction.packet) },
            uniquingKeysWith: max
        )
        // Silence is proven where the client closed, let time pass, or asked for something else on the connection.
        let silent = waiting.filter {
            chain.provenSilence(after: $0) != nil || lastRequests[$0.connection, default: 0] > $0.packet
        }
        guard let first = silent.first else {
            let reason = "the capture ends too early after a challenge"
            return .cannotTell(Incompleteness(reason, connections: [last.connection]))
        }
        if let incompleteness = chain.incompleteness(of: silent) { return .cannotTell(incompleteness) }
        let what = first.fields(for: chain.target).credentials.isEmpty ? "offer of NTLM alone" : "NTLM challenge"
        let message =
            "the client did not answer the \(what) in packet \(first.responsePacket ?? first.packet)\(end(first, chain))"
        return .found([page.finding(message, at: .response(first), in: silent)])
    }

    /// The responses after which it is the client's turn in a handshake that never ends.
    private func waitingChallenges(in chain: Chain) -> [Transaction] {
        let begun = chain.exchanges.filter { $0.lastLeg.continuation?.ntlm != nil && $0.authenticate == nil }
            .map(\.lastLeg.transaction).filter { !chain.isEndedByServer(after: $0) }
        return begun.isEmpty ? bareOffers(in: chain) : begun
    }

    /// The bare challenges of a server that offers NTLM and nothing else, to a client that was never let in.
    private func bareOffers(in chain: Chain) -> [Transaction] {
        guard !chain.space.isProxy, !chain.traits.contains(.success) else { return [] }
        return chain.unansweredChallenges.map(\.transaction).filter { transaction in
            let schemes = transaction.fields(for: chain.target).schemes
            return !schemes.isEmpty && schemes.allSatisfy { $0.kind == .ntlm }
        }
    }

    private func end(_ transaction: Transaction, _ chain: Chain) -> String {
        switch chain.provenSilence(after: transaction) {
        case .closed(let packet)?: ": it closed connection \(transaction.connection) in packet \(packet)"
        case .seconds(let seconds)?: ": nothing came for \(seconds) s"
        case nil: ": it went on without credentials"
        }
    }
}
