import AuthScanSessions
import TestPipeline
import Testing

@Suite struct TransactionLoginRedirectTests {
    private func isSentToLogin(_ target: String, location: String, field: String) throws -> Bool {
        let transcript = "connection 1\n> GET \(target)\n  \(field)\n< 302\n  Location: \(location)"
        return try #require(try sessions(of: transcript).transactions.first).isDataRequestSentToLogin
    }

    @Test(
        "an address says that people sign in there",
        arguments: [
            ("/login", true), ("https://a.test/account/Login.aspx?x=1", true), ("/users/sign_in", true),
            ("//a.test/signin;x=1", true), ("https://a.test/adfs/ls/?wa=wsignin1.0", true), ("/saml2/idp", true),
            ("https://a.test/oauth2/v2.0/authorize?x=1", true), ("/oauth/authorize", true), ("/?wa=wsignin1.0", true),
            ("/items/", false), ("/login-history", false), ("/signing", false), ("https://login.test/items", false),
            ("/search?q=login", false), ("/authorize", false), ("", false),
        ]
    )
    func address(location: String, expected: Bool) throws {
        #expect(try isSentToLogin("/api/items", location: location, field: "Accept: application/json") == expected)
    }

    @Test(
        "only a request for data counts",
        arguments: [
            ("Accept: application/json, text/plain, */*", true), ("X-Requested-With: XMLHttpRequest", true),
            ("Accept: text/html, application/json", false), ("Accept: */*", false), ("Accept: image/png", false),
            ("X-Requested-With: com.example.app", false),
        ]
    )
    func request(field: String, expected: Bool) throws {
        #expect(try isSentToLogin("/items", location: "/login", field: field) == expected)
    }

    @Test(
        "a request of a login or logout itself does not",
        arguments: [
            ("/login", false), ("/api/logout", false), ("/oauth2/token", false), ("/sso/start", false),
            ("/api/session", false), ("/api/catalog", true), ("/blog/lessons", true),
        ]
    )
    func target(target: String, expected: Bool) throws {
        #expect(try isSentToLogin(target, location: "/login", field: "Accept: application/json") == expected)
    }
}
