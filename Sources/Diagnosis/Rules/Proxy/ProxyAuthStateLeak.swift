import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct ProxyAuthStateLeak: Rule {
    let page = RulePage(
        id: "proxy-auth-state-leak",
        severity: .warning,
        step: .answer,
        title: "The proxy skipped its handshake, and the server's is never answered",
        what: """
            The proxy opens the tunnel on the client's first NTLM or Negotiate message; the server's own challenge inside \
            the tunnel then stays without an answer.
            """,
        why: """
            A proxy that knows the client already may skip its handshake. Some clients then go on believing that one is \
            under way, and take the server's challenge for a part of it.
            """,
        fix: [
            .client("Update the client's HTTP library."),
            .network("Let the proxy run its handshake to the end, or exempt the host from proxy authentication."),
        ],
        verify: "The server's challenge is answered, be the proxy's handshake skipped or not.",
        lookAlikes: ["A proxy that skips its handshake, and a login behind it that works: ordinary."],
        supersedes: ["challenge-unanswered", "ntlm-handshake-abandoned"],
        sources: ["RFC 4559 §6"],
        triggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:80
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 200
            > GET /app
            < ↓401
              WWW-Authenticate: NTLM
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:80
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 200
            > GET /app
            < 401
              WWW-Authenticate: NTLM
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            closed by client
            """,
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:80
            < 200
            > GET /app
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.refusal, .failure]

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        let silent = chain.finalFailures.filter { event in
            (event.kind == .unanswered || event.kind == .abandoned) && event.transaction.http.tunnel != nil
                && event.transaction.originFields.schemes.contains { $0.requiresSameConnection }
        }.map(\.transaction)
        guard let first = silent.first, let opening = skippedHandshake(before: first, in: chain) else { return .clear }
        if let incompleteness = chain.incompleteness(of: [first]) { return .cannotTell(incompleteness) }
        let message =
            "the proxy opened the tunnel on the first message of packet \(opening.packet), and the server's challenge "
            + "inside it is not answered"
        return .found([
            page.finding(message, at: .response(first), in: silent + [opening], confidence: .likely)
        ])
    }

    /// The CONNECT of the tunnel, where the proxy let it pass on the first message of a handshake.
    private func skippedHandshake(before transaction: Transaction, in chain: Chain) -> Transaction? {
        chain.context.transactions(of: chain.session.client).last { opening in
            opening.connection == transaction.connection && opening.packet < transaction.packet
                && opening.request?.method == "CONNECT" && opening.status == 200
                && opening.proxyFields.credentials.contains { $0.ntlm?.isNegotiate == true }
        }
    }
}

extension NTLMMessage {
    /// Whether it is the first message of a handshake.
    fileprivate var isNegotiate: Bool { if case .negotiate = self { true } else { false } }
}
