import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLM411LengthRequired: Rule {
    let page = RulePage(
        id: "ntlm-411-length-required",
        severity: .error,
        step: .handshake,
        title: "A POST with NTLM states no length",
        what: "A leg of the handshake has neither Content-Length nor Transfer-Encoding, and the server answers 411.",
        why: """
            The first leg goes without a body, and must say so: servers refuse a POST or PUT of unknown length before \
            they look at the credential.
            """,
        fix: [
            .client("Send Content-Length: 0 in the legs without a body; URLSession does so by itself."),
            .client("With curl, give -d '' together with -X POST."),
        ],
        verify: "The leg has Content-Length: 0, and a challenge comes instead of 411.",
        lookAlikes: ["A 411 to a request without credentials: the application's own matter."],
        supersedes: ["ntlm-credential-rejected"],
        sources: ["RFC 9110 §8.6", "RFC 9110 §15.5.12"],
        triggering: [
            """
            connection 1
            > POST /app
              -Content-Length
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < ↓411
            closed by server
            """
        ],
        notTriggering: [
            """
            connection 1
            > POST /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
              Content-Length: 0
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > POST /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
              body 20
            < 200
            """,
            """
            connection 1
            > POST /app
            < 411
            closed by server
            """,
        ]
    )

    let needs: ChainTraits = [.rejected, .tokenScheme]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter(\.isConnectionBound).flatMap(\.legs).map(\.transaction).filter {
            $0.status == 411 && $0.statesNoLength
        }
        guard let first = refused.first else { return .clear }
        let method = first.request?.method ?? ""
        let message = "a \(method) without Content-Length and Transfer-Encoding is refused with 411 in the handshake"
        return .found([page.finding(message, at: .response(first), in: refused)])
    }
}
