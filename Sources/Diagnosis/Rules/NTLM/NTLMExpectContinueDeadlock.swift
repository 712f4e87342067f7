import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMExpectContinueDeadlock: Rule {
    let page = RulePage(
        id: "ntlm-expect-continue-deadlock",
        severity: .error,
        step: .handshake,
        title: "Expect: 100-continue and NTLM wait for each other",
        what: """
            A leg of the handshake announces a body and waits for 100 Continue; the challenge comes instead, and nothing \
            moves any more.
            """,
        why: """
            The client holds the body back, and takes the refusal for the end. The server waits for the body that was \
            announced before it takes the next request on the connection.
            """,
        fix: [
            .client("Switch Expect off (curl: -H 'Expect:'), or authenticate the connection with a GET or HEAD first."),
            .client("Send the legs before the last with Content-Length: 0, and Expect with the last one alone."),
            .server("Answer a refused Expect request with Connection: close, or discard the body that still comes."),
        ],
        verify: "The AUTHENTICATE_MESSAGE follows the challenge at once.",
        lookAlikes: ["Expect with the last leg alone: right.", "A client that sends the body after a second's wait."],
        supersedes: ["ntlm-handshake-abandoned", "challenge-unanswered", "ntlm-conn-closed-after-challenge"],
        sources: ["RFC 9110 §10.1.1", "MS-NTHT §1.3"],
        triggering: [
            """
            connection 1
            > POST /upload
              Authorization: NTLM {NEGOTIATE_MESSAGE}
              Expect: 100-continue
              Content-Length: 4000
            < ↓401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            wait 100 s
            closed by client
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
              Expect: 100-continue
              body 4000
            < 200
            """,
            """
            connection 1
            > POST /upload
              Authorization: NTLM {NEGOTIATE_MESSAGE}
              Content-Length: 0
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.refusal, .tokenScheme, .unfinished]

    func findings(in chain: Chain) -> Outcome {
        let stuck = chain.exchanges.filter { exchange in
            exchange.isConnectionBound && (exchange.outcome == .abandoned || exchange.outcome == .broken)
                && exchange.lastLeg.transaction.withholdsBody
                && exchange.lastLeg.transaction.status == exchange.target.refusalStatus
                && !chain.isMadeGood(after: exchange.lastLeg.transaction)
        }.map(\.lastLeg.transaction)
        guard let first = stuck.first else { return .clear }
        if let incompleteness = chain.incompleteness(of: stuck) { return .cannotTell(incompleteness) }
        let message =
            "the body announced in packet \(first.packet) waits for 100 Continue, and the challenge that comes instead "
            + "is never answered"
        return .found([page.finding(message, at: .response(first), in: stuck)])
    }
}

extension Transaction {
    /// Whether the request announces a body, asks whether to send it, and does not send it.
    fileprivate var withholdsBody: Bool {
        guard let request, request.fields.text(of: .expect)?.lowercased() == "100-continue" else { return false }
        let announced = request.fields.text(of: .contentLength).flatMap { Int($0) } ?? 0
        return request.bodyBytes < announced
    }
}
