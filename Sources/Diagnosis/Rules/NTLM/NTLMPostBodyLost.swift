import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMPostBodyLost: Rule {
    let page = RulePage(
        id: "ntlm-post-body-lost",
        severity: .error,
        step: .continue,
        title: "The request that is let in has lost its body",
        what: "An earlier leg of the handshake brought a body; the last one, for the same resource, brings none.",
        why: """
            The client could not rewind the stream that the body came from, or believes that it was sent. The server \
            takes the request for an empty one: the login works, and the upload fails.
            """,
        fix: [
            .client(
                """
                Use httpBody or an upload from a file; with httpBodyStream, implement \
                urlSession(_:task:needNewBodyStream:), which hands out a fresh stream.
                """
            )
        ],
        verify: "The last leg has the same Content-Length as the request that was meant.",
        lookAlikes: ["A first leg with Content-Length: 0 and a body in the last one: right."],
        sources: ["MS-NTHT §1.3", "RFC 9110 §8.6"],
        triggering: [
            """
            connection 1
            > POST /form
              body 300
            < 401
              WWW-Authenticate: NTLM
            > POST /form
              Authorization: NTLM {NEGOTIATE_MESSAGE}
              Content-Length: 0
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓POST /form
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
              Content-Length: 0
            < 400
            """
        ],
        notTriggering: [
            """
            connection 1
            > POST /form
              body 300
            < 401
              WWW-Authenticate: NTLM
            > POST /form
              Authorization: NTLM {NEGOTIATE_MESSAGE}
              Content-Length: 0
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > POST /form
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
              body 300
            < 200
            """,
            """
            connection 1
            > GET /form
            < 401
              WWW-Authenticate: NTLM
            > GET /form
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /form
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.ntlm, .refusal, .accepted]

    func findings(in chain: Chain) -> Outcome {
        let emptied = chain.exchanges.filter { exchange in
            exchange.isNTLM && exchange.outcome == .accepted && exchange.lastLeg.transaction.isEmptyUpload
                && exchange.authenticate != nil
                && exchange.transactions.dropLast().contains { $0.isSameUpload(as: exchange.lastLeg.transaction) }
        }.map(\.lastLeg.transaction)
        guard let first = emptied.first else { return .clear }
        if let incompleteness = chain.incompleteness(of: emptied) { return .cannotTell(incompleteness) }
        let isRefused = emptied.contains { $0.status.map { $0 >= 400 } ?? false }
        let message =
            "the \(first.request?.method ?? "") in packet \(first.packet) completes the handshake without the body that an "
            + "earlier leg brought" + (isRefused ? ", and fails with \(first.status ?? 0)" : "")
        return .found([
            page.finding(message, at: .request(first), in: emptied, severity: isRefused ? .error : .warning)
        ])
    }
}

extension Transaction {
    /// Whether the request is of a kind that brings a body, and brings none.
    fileprivate var isEmptyUpload: Bool {
        guard let request, request.isHeadComplete, request.bodyBytes == 0 else { return false }
        let announced = request.fields.text(of: .contentLength).flatMap { Int($0) } ?? 0
        return ["POST", "PUT", "PATCH"].contains(request.method) && announced == 0
            && !request.fields.contains(.transferEncoding)
    }

    /// Whether this is a request for the same resource, with a body.
    fileprivate func isSameUpload(as other: Transaction) -> Bool {
        guard let request, let twin = other.request else { return false }
        return request.method == twin.method && request.target == twin.target && request.bodyBytes > 0
    }
}
