import AuthScanWire
import Testing

@testable import AuthScanDiagnosis

@Suite struct CookieJarTests {
    /// 2026-01-05 09:00:00 UTC.
    private static let now = Timestamp(nanoseconds: 1_767_603_600_000_000_000)

    private static func cookie(_ field: String, host: String = "app.example", path: String = "/") -> CapturedCookie? {
        CapturedCookie(setCookie: field, host: host, requestPath: path, time: now)
    }

    @Test(
        "path-match follows RFC 6265 §5.1.4",
        arguments: [
            ("/", "/", true), ("/", "/a/b", true), ("/app", "/app", true), ("/app", "/app/x", true),
            ("/app", "/apple", false), ("/app/", "/app", false), ("/app/", "/app/x", true), ("/App", "/app", false),
        ]
    )
    func matchesPaths(path: String, request: String, expected: Bool) throws {
        let cookie = try #require(Self.cookie("sid=1; Path=\(path)"))
        #expect(cookie.belongs(toPath: request, isSecureRequest: false) == expected)
    }

    @Test(
        "without a Path the request's directory counts",
        arguments: [
            ("/login", "/"), ("/app/login", "/app"), ("/app/", "/app"), ("", "/"),
        ]
    )
    func derivesTheDefaultPath(request: String, expected: String) throws {
        #expect(try #require(Self.cookie("sid=1", path: request)).path == expected)
        // RFC 6265 §5.2.4: a Path that does not start with a slash is the default path.
        #expect(try #require(Self.cookie("sid=1; Path=app", path: request)).path == expected)
    }

    @Test func keepsSecureCookiesFromHTTP() throws {
        let cookie = try #require(Self.cookie("sid=1; Path=/; secure; HttpOnly"))
        #expect(!cookie.belongs(toPath: "/", isSecureRequest: false))
        #expect(cookie.belongs(toPath: "/", isSecureRequest: true))
    }

    @Test(
        "Domain must be the host or above it",
        arguments: [
            ("sid=1; Domain=app.example", false), ("sid=1; Domain=.example", false), ("sid=1; Domain=EXAMPLE", false),
            ("sid=1; Domain=other.example", true), ("sid=1; Domain=pp.example", true), ("sid=1; Domain=", false),
            ("sid=1", false),
        ]
    )
    func tellsForeignDomains(field: String, isForeign: Bool) throws {
        #expect(try #require(Self.cookie(field)).isForeign == isForeign)
    }

    @Test(
        "lifetimes count from the response, and Max-Age has precedence",
        arguments: [
            ("sid=1", nil), ("sid=1; Max-Age=60", 60.0), ("sid=1; Max-Age=0", 0), ("sid=1; Max-Age=-1", -1),
            ("sid=1; Expires=Mon, 05 Jan 2026 10:00:00 GMT", 3600),
            ("sid=1; Expires=Mon, 05 Jan 2026 10:00:00 GMT; Max-Age=5", 5),
            ("sid=1; Max-Age=soon; Expires=Mon, 05-Jan-26 08:00:00 GMT", -3600),
            ("sid=1; Expires=never", nil),
        ] as [(String, Double?)]
    )
    func readsLifetimes(field: String, expected: Double?) throws {
        let cookie = try #require(Self.cookie(field))
        #expect(cookie.lifetime == expected)
        #expect(cookie.isDeletion == (expected.map { $0 <= 0 } ?? false))
    }

    @Test("a field without a name is no cookie", arguments: ["", "sid", "=1", " ; Path=/", ";"])
    func refusesNamelessFields(field: String) {
        #expect(Self.cookie(field) == nil)
    }
}
