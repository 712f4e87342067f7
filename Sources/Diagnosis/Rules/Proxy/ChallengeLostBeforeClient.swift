import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct ChallengeLostBeforeClient: Rule {
    let page = RulePage(
        id: "challenge-lost-before-client",
        severity: .error,
        step: .challenge,
        title: "An intermediary takes the server's challenge away",
        what: "The server's 401 offers schemes that are missing from the 401 which the proxy hands to the client.",
        why: """
            Without WWW-Authenticate, or with a part of it, the client does not learn how to authenticate. A proxy must \
            not alter the field; only one that authenticates by itself has a reason to.
            """,
        fix: [
            .network(
                """
                Let WWW-Authenticate pass: look for proxy_hide_header (nginx), http-response del-header (HAProxy) or a \
                security gateway's response filter.
                """
            ),
            .network(
                """
                Where Negotiate and NTLM are removed because the proxy cannot keep a client's connection to itself, let \
                these hosts pass it in a tunnel.
                """
            ),
        ],
        verify: "The 401 has the same WWW-Authenticate lines on both sides of the proxy.",
        lookAlikes: ["A gateway that challenges in its own name, and lets the client in afterwards."],
        supersedes: ["http-401-no-challenge", "challenge-unanswered", "no-common-scheme", "ntlm-handshake-abandoned"],
        sources: ["RFC 9110 §11.6.1", "RFC 9110 §15.5.2"],
        triggering: [
            """
            connection 1 from 192.0.2.10 to 198.51.100.1:80
            > GET /app
            connection 2 from 198.51.100.1 to 198.51.100.12:8080
            > GET /app
            < 401
              WWW-Authenticate: NTLM
            connection 1
            < ↓401
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1 from 192.0.2.10 to 198.51.100.1:80
            > GET /app
            connection 2 from 198.51.100.1 to 198.51.100.12:8080
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="intranet"
            connection 1
            < 401
              WWW-Authenticate: Basic realm="intranet"
            closed by client
            """,
            """
            # From the client's side alone nobody can tell.
            connection 1
            > GET /app
            < 401
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.refusal]

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        for entry in chain.entries where entry.summary.status == 401 {
            let refused = entry.transaction
            guard let copy = chain.context.forwardedCopy(of: refused, from: chain.session.client), copy.status == 401,
                refused.isComplete, copy.isComplete
            else { continue }
            let arrived = refused.originFields.schemes
            let lost = copy.originFields.schemes.filter { !arrived.contains($0) }
            guard !lost.isEmpty else { continue }
            let names = lost.map(\.rawValue).joined(separator: ", ")
            let rest = arrived.isEmpty ? "without WWW-Authenticate" : "without these schemes"
            let message =
                "the server offers \(names) in packet \(copy.responsePacket ?? 0), and the 401 reaches the client \(rest)"
            let severity: Severity = chain.isMadeGood(after: refused) ? .note : .error
            return .found([page.finding(message, at: .response(refused), in: [refused, copy], severity: severity)])
        }
        return .clear
    }
}
