import AuthScanSessions
import AuthScanWire

struct Proxy407NoChallenge: Rule {
    let page = RulePage(
        id: "proxy-407-no-challenge",
        severity: .error,
        step: .proxy,
        title: "407 without a challenge",
        what: "A response with status 407 has no Proxy-Authenticate field.",
        why: """
            Proxy-Authenticate tells a client which schemes the proxy takes. Without it no credential can be chosen, and \
            URLSession ends with an error instead of asking for one.
            """,
        fix: [
            .network("Let the proxy add Proxy-Authenticate to each 407, or find what removes the field on the way."),
            .server("An origin server that wants credentials answers 401 with WWW-Authenticate, never 407."),
        ],
        verify: "The 407 carries Proxy-Authenticate, and the next request carries Proxy-Authorization.",
        lookAlikes: ["A 401 without WWW-Authenticate: http-401-no-challenge."],
        explains: ["challenge-unanswered", "proxy-credential-not-sent"],
        sources: ["RFC 9110 §15.5.8", "RFC 9110 §11.7.1"],
        triggering: [
            """
            connection 1 to 192.0.2.30:3128
            > GET http://intranet.example/
            < ↓407
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1 to 192.0.2.30:3128
            > GET http://intranet.example/
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            > GET http://intranet.example/
              Proxy-Authorization: Basic {basic alice:secret}
            < 200
            """
        ]
    )

    let needs: ChainTraits = [.proxy, .refusal]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.entries.map(\.transaction).filter { $0.status == 407 && $0.proxyFields.challenges.isEmpty }
        guard let first = refused.first(where: { $0.response?.isHeadComplete == true }) else {
            guard let cut = refused.first else { return .clear }
            return .cannotTell(Incompleteness("the capture cut the head of the 407", connections: [cut.connection]))
        }
        let certain = refused.filter { $0.response?.isHeadComplete == true }
        let severity: Severity = chain.endsInSuccess ? .note : .error
        return .found([page.finding(message(first), at: .response(first), in: certain, severity: severity)])
    }

    private func message(_ transaction: Transaction) -> String {
        guard let request = transaction.request, request.method != "CONNECT", request.target.hasPrefix("/") else {
            return "the proxy answered 407 without Proxy-Authenticate"
        }
        let fields = transaction.response?.fields
        let isProxy = [FieldName.via, .xSquidError, .proxyConnection].contains { fields?.contains($0) == true }
        return isProxy
            ? "a transparent proxy, it seems, answered a request to a server with 407 without Proxy-Authenticate"
            : "the server itself answered 407, a proxy's status, without Proxy-Authenticate"
    }
}
