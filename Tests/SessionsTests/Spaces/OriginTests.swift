import Testing

@testable import AuthScanSessions
@testable import AuthScanWire

@Suite struct OriginTests {
    @Test(
        "an authority names host and port",
        arguments: [
            ("intranet.example", "http://intranet.example:80"),
            ("Intranet.Example:8080", "http://intranet.example:8080"),
            ("intranet.example:", "http://intranet.example:80"),
            ("alice@intranet.example:81", "http://intranet.example:81"),
            ("[2001:db8::1]", "http://[2001:db8::1]:80"),
            ("[2001:db8::1]:8080", "http://[2001:db8::1]:8080"),
        ]
    )
    func readsAuthority(authority: String, expected: String) throws {
        let origin = try #require(Origin(scheme: "http", authority: authority))
        #expect(origin.description == expected)
    }

    @Test("what is no authority gives none", arguments: ["", ":80", "host:port", "host:65536", "host:-1"])
    func refusesAuthority(authority: String) {
        #expect(Origin(scheme: "http", authority: authority) == nil)
    }

    @Test func leavesTheSchemesOwnPortOutWhenShort() {
        #expect(Origin(scheme: "https", host: "a.example", port: 443).shortDescription == "https://a.example")
        #expect(Origin(scheme: "https", host: "a.example", port: 80).shortDescription == "https://a.example:80")
    }

    @Test("absolute-form targets name their origin; other forms do not")
    func readsAbsoluteForm() {
        #expect(Origin(absoluteForm: "http://a.example:81/x?u=http://b.example/")?.port == 81)
        #expect(Origin(absoluteForm: "HTTPS://a.example?x")?.description == "https://a.example:443")
        #expect(Origin(absoluteForm: "/go?to=http://b.example/") == nil)
        #expect(Origin(absoluteForm: "ftp://a.example/") == nil)
        #expect(Origin(absoluteForm: "a.example:443") == nil)
    }

    @Test(
        "loopback is told from names that only look like it",
        arguments: [
            ("localhost", true), ("app.localhost", true), ("127.0.0.1", true), ("127.9.9.9", true), ("[::1]", true),
            ("localhost.example", false), ("127.example", false), ("128.0.0.1", false),
        ]
    )
    func knowsLoopback(host: String, expected: Bool) {
        #expect(Origin(scheme: "http", host: host, port: 80).isLoopback == expected)
    }
}
