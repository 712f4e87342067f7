import AuthScanDiagnosis
import TestPipeline
import Testing

/// What all rules together say of redirects, sign-in pages, tunnels and changes of user: one failure, one explanation.
@Suite struct RedirectPrecedenceTests {
    private static func alarms(in transcript: String) throws -> [String] {
        try diagnosis(of: transcript).findings.filter { $0.severity > .note && $0.rule != "credentials-in-clear" }
            .map { "\($0.rule) \($0.severity)" }.sorted()
    }

    private static let agent = "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15"

    private static func redirected(to url: String, on connection: String, answer: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 2)
        return """
            connection 1
            > GET /files/7
              Authorization: Bearer mF_9.B5f-4.1JqM
            < 302
              Location: \(url)
            \(connection)
            > GET /\(parts[2])
              Host: \(parts[1])
              Authorization: Bearer mF_9.B5f-4.1JqM
            < \(answer)
            closed by client
            """
    }

    @Test("a refused signed URL is told as such, and not as a leak as well")
    func signedURL() throws {
        let url = "http://bucket.test/7.zip?X-Amz-Signature=6f1d2c"
        let refused = Self.redirected(to: url, on: "connection 2 to 203.0.113.60:80", answer: "400")
        #expect(try Self.alarms(in: refused) == ["presigned-url-plus-authorization error"])
        let breakpoints = try diagnosis(of: refused).chains.compactMap(\.breakpoint)
        #expect(breakpoints.map(\.step) == [.accept] && breakpoints.allSatisfy { $0.finding != nil })
        let served = Self.redirected(to: url, on: "connection 2 to 203.0.113.60:80", answer: "200")
        #expect(try Self.alarms(in: served) == ["redirect-leaks-authorization error"])
    }

    @Test("a token that is refused again and again at a signed URL has a reason of its own")
    func repeatedSignedURL() throws {
        let round = "> GET /7.zip?X-Amz-Signature=6f1d2c\n  Authorization: Bearer one\n< 400\n"
        let transcript = "connection 1\n" + round + round + round + "closed by client"
        #expect(try Self.alarms(in: transcript) == ["presigned-url-plus-authorization error"])
    }

    @Test(
        "how much a leak matters depends on who gets the credential",
        arguments: [
            ("http://storage.test/f", ["redirect-leaks-authorization error"]),
            ("http://files.intranet.example/f", ["redirect-leaks-authorization warning"]),
            ("http://intranet.example:8080/f", ["redirect-leaks-authorization warning"]),
            ("http://intranet.example/f", []),
        ]
    )
    func leak(url: String, expected: [String]) throws {
        let connection = url.contains("//intranet.example/") ? "connection 1" : "connection 2 to 203.0.113.60:80"
        #expect(try Self.alarms(in: Self.redirected(to: url, on: connection, answer: "200")) == expected)
    }

    @Test("AD FS's choice explains why nobody answers, and where the chain breaks")
    func signInPage() throws {
        for schemes in ["Negotiate", "NTLM", "Negotiate\n  WWW-Authenticate: NTLM"] {
            let transcript = """
                connection 1 to 198.51.100.50:443 over tls
                > GET /adfs/ls/wia?wa=wsignin1.0
                  \(Self.agent)
                < 401
                  WWW-Authenticate: \(schemes)
                closed by client
                """
            #expect(try Self.alarms(in: transcript) == ["adfs-wia-user-agent warning"])
            #expect(try diagnosis(of: transcript).chains.map(\.breakpoint?.step) == [.answer])
            let elsewhere = transcript.replacing("/adfs/ls/wia?wa=wsignin1.0", with: "/app")
            #expect(try !Self.alarms(in: elsewhere).contains { $0.hasPrefix("adfs") })
        }
    }

    @Test("a request for data that is sent to a login is told also where nothing else speaks of one")
    func loginPage() throws {
        let round = """
            > GET /api/items
              Accept: application/json
            < 302
              Location: /login
            > GET /login
              Accept: application/json
            < 200

            """
        #expect(try Self.alarms(in: "connection 1\n" + round) == ["login-redirect-instead-of-401 warning"])
        let repeated = try diagnosis(of: "connection 1\n" + round + round + round).findings
        #expect(repeated.map(\.rule) == ["login-redirect-instead-of-401"])
        #expect(repeated.first?.message.contains("(3 times)") == true)
        let served = round + "> GET /api/items\n  Accept: application/json\n< 200\n"
        #expect(try Self.alarms(in: "connection 1\n" + served) == [])
        #expect(
            try diagnosis(of: "connection 1\n" + round.replacing("application/json", with: "text/html")).chains.isEmpty
        )
    }

    @Test("a cookie that is not sent back is why a request for data ends at the login")
    func lostCookie() throws {
        let transcript = """
            connection 1
            > POST /login
              body 40
            < 302
              Location: /home
              Set-Cookie: sid=8f2a; Path=/; HttpOnly
            > GET /api/items
              Accept: application/json
            < 302
              Location: /login
            > GET /login
            < 200
            """
        #expect(try Self.alarms(in: transcript) == ["session-cookie-not-returned error"])
    }

    @Test("a tunnel that is refused with 401 says nothing about the password", arguments: [1, 3])
    func tunnel(count: Int) throws {
        let round = "> CONNECT intranet.example:443\n  Proxy-Authorization: Basic {basic alice:secret}\n< 401\n"
        let transcript = "connection 1 to 192.0.2.30:3128\n" + String(repeating: round, count: count)
        #expect(try Self.alarms(in: transcript + "closed by client") == ["proxy-answers-401 error"])
        #expect(try diagnosis(of: transcript + "closed by client").chains.map(\.breakpoint?.step) == [.proxy])
    }

    @Test("SharePoint's hints explain a 401 without a challenge")
    func formsLogin() throws {
        let transcript = """
            connection 1
            > GET /sites/a
            < STATUS
              X-Forms_Based_Auth_Required: http://intranet.example/_layouts/login.aspx
            closed by client
            """
        for status in ["401", "403"] {
            let text = transcript.replacing("STATUS", with: status)
            #expect(try Self.alarms(in: text) == ["sharepoint-fba-403 error"])
            #expect(try diagnosis(of: text).chains.map(\.breakpoint?.step) == [.challenge])
        }
        let early = transcript.replacing("STATUS", with: "403").replacing("closed by client", with: "end wait 2 s")
        let result = try diagnosis(of: early)
        #expect(result.findings.isEmpty && result.notAssessed.contains { $0.rule == "sharepoint-fba-403" })
    }

    @Test("a resumed download explains why a challenge has no answer")
    func resumedDownload() throws {
        let transcript = """
            connection 1
            > GET /media/7
              User-Agent: Reader/3 CFNetwork/1498.700.2 Darwin/23.6.0
              Authorization: Basic {basic alice:secret}
            < 200
              body 400
            > GET /media/7
              User-Agent: Reader/3 CFNetwork/1498.700.2 Darwin/23.6.0
              Range: bytes=400-
            < 401
              WWW-Authenticate: Basic realm="media"
            closed by client
            """
        #expect(try Self.alarms(in: transcript) == ["background-session-challenge warning"])
        #expect(try diagnosis(of: transcript).chains.map(\.breakpoint?.step) == [.continue])
    }
}
