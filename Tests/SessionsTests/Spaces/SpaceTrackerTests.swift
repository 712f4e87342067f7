import AuthScanSchemes
import AuthScanSessions
import TestPipeline
import Testing

@Suite struct SpaceTrackerTests {
    @Test("two processes of one machine are two clients, and those of no name are one")
    func tellsProcessesApart() throws {
        let result = try sessions(
            of: """
                connection 1 by com.apple.WebKit.Networking/700 for Intranet/650
                > GET /a
                < 401
                  WWW-Authenticate: NTLM
                connection 2 by Intranet/650
                > GET /b
                < 401
                  WWW-Authenticate: NTLM
                connection 3 by com.apple.WebKit.Networking/700 for Intranet/650
                > GET /c
                < 401
                  WWW-Authenticate: NTLM
                """
        )
        #expect(result.spaces.count == 1)
        #expect(result.sessions.map { $0.entries.map(\.transaction.number) } == [[1, 3], [2]])
        let unnamed = try sessions(of: "connection 1\n> GET /a\n< 401\nconnection 2\n> GET /b\n< 401")
        #expect(unnamed.sessions.count == 1)
    }

    @Test("two realms of one server are two protection spaces")
    func tellsRealmsApart() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /reports/
                < 401
                  WWW-Authenticate: Basic realm="Reports"
                > GET /reports/
                  Authorization: Basic {basic alice:secret}
                < 200
                > GET /admin/
                < 401
                  WWW-Authenticate: Basic realm="Admin"
                > GET /admin/
                  Authorization: Basic {basic root:secret}
                < 200
                > GET /reports/7
                  Authorization: Basic {basic alice:secret}
                < 200
                """
        )
        #expect(result.spaces.map(\.realm) == ["Reports", "Admin"])
        #expect(result.sessions.map { $0.entries.map(\.transaction.number) } == [[1, 2, 5], [3, 4]])
    }

    @Test("challenges with and without a realm that share a scheme are one space")
    func joinsRealmlessChallenges() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /app
                < 401
                  WWW-Authenticate: NTLM
                  WWW-Authenticate: Basic realm="app"
                > GET /app
                  Authorization: NTLM {NEGOTIATE_MESSAGE}
                < 401
                  WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
                > GET /app
                  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
                < 200
                """
        )
        #expect(result.spaces.count == 1)
        #expect(result.spaces.first?.realm == "app")
        #expect(result.spaces.first?.schemes.map(\.rawValue) == ["NTLM", "Basic"])
        #expect(
            result.spaces.first?.appleMethods == [
                "NSURLAuthenticationMethodNTLM", "NSURLAuthenticationMethodHTTPBasic",
            ]
        )
    }

    @Test("a proxy and the server behind it are two spaces with an exchange each")
    func tellsProxyFromServer() throws {
        let result = try sessions(
            of: """
                connection 1 to 192.0.2.30:3128
                > GET http://intranet.example/app
                < 407
                  Proxy-Authenticate: Basic realm="proxy"
                > GET http://intranet.example/app
                  Proxy-Authorization: Basic {basic alice:proxy}
                < 401
                  WWW-Authenticate: Basic realm="app"
                > GET http://intranet.example/app
                  Proxy-Authorization: Basic {basic alice:proxy}
                  Authorization: Basic {basic alice:secret}
                < 200
                """
        )
        #expect(result.spaces.map(\.origin.description) == ["http://192.0.2.30:3128", "http://intranet.example:80"])
        #expect(result.spaces.map(\.isProxy) == [true, false])
        #expect(result.exchanges.map(\.target) == [.proxy, .proxy, .origin])
    }

    @Test("traffic without any authentication makes no session")
    func ignoresPlainTraffic() throws {
        let result = try sessions(of: "connection 1\n> GET /\n< 200\n> GET /missing\n< 404")
        #expect(result.sessions.isEmpty)
        #expect(result.transactionsByClient.map(\.transactions.count) == [2])
    }

    @Test("what comes before the first challenge belongs to the first space")
    func keepsEarlyRequests() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /
                < 200
                > GET /app
                < 401
                  WWW-Authenticate: Basic realm="app"
                """
        )
        #expect(result.sessions.map { $0.entries.map(\.transaction.number) } == [[1, 2]])
    }

    @Test("a refusal belongs to the space of the schemes that it offers, whatever was sent")
    func findsTheSpaceOfARefusedToken() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /app
                  Authorization: Basic {basic alice:secret}
                < 200
                > GET /api
                  Authorization: Bearer one
                < 401
                  WWW-Authenticate: Basic realm="app"
                """
        )
        #expect(result.spaces.map(\.realm) == ["app"])
        #expect(result.sessions.map(\.exchanges.count) == [2])
    }
}
