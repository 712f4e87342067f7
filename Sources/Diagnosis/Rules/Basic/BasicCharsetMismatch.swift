import AuthScanSchemes
import AuthScanSessions

struct BasicCharsetMismatch: Rule {
    let page = RulePage(
        id: "basic-charset-mismatch",
        severity: .error,
        step: .accept,
        title: "User name or password bytes in the wrong charset",
        what: """
            A refused Basic credential holds characters beyond ASCII, in another charset than the challenge asks for or the \
            server accepts.
            """,
        why: """
            Basic sends bytes without saying their charset. A client that encodes ä as one byte of ISO 8859-1 and a server \
            that expects the two bytes of UTF-8 mean different passwords; accounts in plain ASCII work.
            """,
        fix: [
            .server("Say charset=\"UTF-8\" in the challenge, and decode UTF-8."),
            .client("Encode user and password as UTF-8: URLSession does, a field made by hand may not."),
        ],
        verify: "The same account is accepted when its bytes are UTF-8.",
        lookAlikes: ["A wrong password that happens to hold an umlaut."],
        supersedes: ["basic-credential-rejected"],
        sources: ["RFC 7617 §2.1"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Basic {basic-latin1 jürgen:secret}
            < 401
              WWW-Authenticate: Basic realm="app", charset="UTF-8"
            closed by client
            """,
            """
            connection 1 from 192.0.2.11
            > ↓GET /app
              Authorization: Basic {basic-latin1 jürgen:secret}
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            connection 2
            > GET /app
              Authorization: Basic {basic jürgen:secret}
            < 200
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Basic {basic-latin1 jürgen:secret}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: Basic {basic alice:wrong}
            < 401
              WWW-Authenticate: Basic realm="app", charset="UTF-8"
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Basic {basic jürgen:secret}
            < 401
              WWW-Authenticate: Basic realm="app", charset="UTF-8"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedBasic]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter { exchange in
            guard exchange.scheme.kind == .basic, exchange.outcome == .rejected, exchange.isOffered(.basic),
                exchange.lastLeg.credentials.problems.isEmpty,
                let charset = exchange.lastLeg.credentials.basic?.charset, charset != .ascii
            else { return false }
            return !(charset == .utf8 && asksForUTF8(exchange)) && chain.isForwardedIntact(exchange.lastLeg.transaction)
        }
        guard let first = refused.first, let basic = first.lastLeg.credentials.basic else { return .clear }
        let accepted = chain.context.accounts.acceptedCharset(of: basic, in: chain.space)
        let isProven = accepted != nil || asksForUTF8(first)
        return chain.outcome(
            of: refused,
            as: page,
            severity: isProven ? nil : .warning,
            confidence: isProven ? .likely : .possible
        ) { _ in
            let what = "the refused user name or password is not ASCII and sent as \(basic.charset.rawValue)"
            if let accepted { return what + ", while the same one is accepted as \(accepted.rawValue)" }
            if asksForUTF8(first) { return what + ", while the challenge asks for UTF-8" }
            return what + ", which the server may not expect; or the password is wrong"
        }
    }

    private func asksForUTF8(_ exchange: AuthenticationExchange) -> Bool {
        exchange.lastLeg.transaction.fields(for: exchange.target).challenges.contains {
            if case .basic(let challenge) = $0.content { challenge.charset?.lowercased() == "utf-8" } else { false }
        }
    }
}
