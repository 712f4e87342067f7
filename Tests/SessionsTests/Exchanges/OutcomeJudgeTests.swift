import AuthScanSessions
import TestPipeline
import Testing

@Suite struct OutcomeJudgeTests {
    /// An NTLM handshake up to the challenge; what follows decides the outcome.
    static let challenged = """
        connection 1
        > GET /app
          Authorization: NTLM {NEGOTIATE_MESSAGE}
        < 401
          WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
        """

    @Test(
        "after a challenge, who stops decides",
        arguments: [
            ("closed by client", .abandoned), ("closed by server", .broken), ("reset by server", .broken),
            ("end wait 30 s", .abandoned), ("end wait 2 s", .unknown), ("wait 60 s\nclosed by server", .abandoned),
        ] as [(String, AuthenticationExchange.Outcome)]
    )
    func judgesSilenceAfterChallenge(end: String, expected: AuthenticationExchange.Outcome) throws {
        #expect(try sessions(of: Self.challenged + "\n" + end).exchanges.map(\.outcome) == [expected])
    }

    @Test("a response that announces the end of its connection breaks the handshake")
    func judgesAnnouncedClose() throws {
        let result = try sessions(of: Self.challenged + "\n  Connection: close\nclosed by client")
        #expect(result.exchanges.map(\.outcome) == [.broken])
    }

    @Test(
        "the answer to the last leg decides",
        arguments: [
            ("< 200", .accepted), ("< 403", .accepted), ("< 404", .accepted), ("< 500", .accepted),
            ("< 304", .accepted),
            ("< 401\n  WWW-Authenticate: NTLM", .rejected), ("reset by server", .broken), ("closed by server", .broken),
            ("end wait 30 s", .unknown), ("lost <\n< 200\nclosed by client", .unknown),
        ] as [(String, AuthenticationExchange.Outcome)]
    )
    func judgesAnswer(end: String, expected: AuthenticationExchange.Outcome) throws {
        let authenticate = "\n> GET /app\n  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}\n"
        #expect(try sessions(of: Self.challenged + authenticate + end).exchanges.map(\.outcome) == [expected])
    }

    @Test("a 401 that finishes the negotiation is the application's, not the mechanism's")
    func judgesFinishedNegotiation() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /app
                  Authorization: Negotiate {AP-REQ service=HTTP/intranet.example realm=CORP.EXAMPLE}
                < 401
                  WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed}
                """
        )
        #expect(result.exchanges.map(\.outcome) == [.accepted])
    }

    @Test("400 refuses a credential beside a signed URL, and no other one of its kind")
    func judgesSignedURL() throws {
        let answered = { (target: String, status: Int) in
            try sessions(of: "connection 1\n> GET \(target)\n  Authorization: Bearer one\n< \(status)").exchanges.map(
                \.outcome
            )
        }
        #expect(try answered("/a?X-Amz-Signature=6f", 400) == [.rejected])
        #expect(try answered("/a?X-Amz-Signature=6f", 200) == [.accepted])
        #expect(try answered("/a", 400) == [.accepted])
    }

    @Test("401 to CONNECT is the proxy's refusal; to a request through it, the server's")
    func judgesTunnel() throws {
        let answered = { (request: String) in
            try sessions(
                of: "connection 1\n> \(request)\n  Proxy-Authorization: Basic {basic a:b}\n< 401"
            ).exchanges.map(\.outcome)
        }
        #expect(try answered("CONNECT intranet.example:443") == [.rejected])
        #expect(try answered("GET http://intranet.example/a") == [.accepted])
    }

    @Test("a proxy's refusal leaves the credential for the server open")
    func leavesOriginCredentialOpenBehindProxy() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET http://intranet.example/app
                  Authorization: Basic {basic alice:secret}
                < 407
                  Proxy-Authenticate: Basic realm="proxy"
                """
        )
        #expect(result.exchanges.isEmpty)
    }

    @Test(
        "400 refuses what is malformed, and may mean anything else otherwise",
        arguments: [
            ("Basic {basic alice:secret}", .accepted), ("Basic alice:secret", .rejected), ("Bearer one", .accepted),
            ("Bearer", .rejected), ("Bearer one\n  Authorization: Basic {basic alice:secret}", .rejected),
            ("Bearer one, Bearer one", .rejected), ("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.", .rejected),
        ] as [(String, AuthenticationExchange.Outcome)]
    )
    func judgesBadRequest(credential: String, expected: AuthenticationExchange.Outcome) throws {
        let result = try sessions(
            of: "connection 1\n> GET /app\n  Authorization: \(credential)\n< 400\nclosed by client"
        )
        #expect(result.exchanges.map(\.outcome) == [expected])
    }
}
