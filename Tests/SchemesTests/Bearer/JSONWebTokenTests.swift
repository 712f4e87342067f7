import Testing

@testable import AuthScanSchemes

@Suite struct JSONWebTokenTests {
    /// RFC 7519 §3.1.
    private let example =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNv"
        + "bS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    @Test("RFC 7519 §3.1")
    func readsWorkedExample() throws {
        let value = credentials("Bearer " + example)
        #expect(value.problems.isEmpty)
        let token = try #require(value.bearer?.jsonWebToken())
        #expect(token.serialization == .jws && token.header["alg"] == .string("HS256"))
        #expect(
            token.claims == [
                "iss": .string("joe"), "exp": .number(1_300_819_380), "http://example.com/is_root": .bool(true),
            ]
        )
    }

    @Test("a token cut before its second dot is none")
    func refusesPrefixes() {
        let text = Array(example.utf8)
        let dot = text.lastIndex(of: UInt8(ascii: ".")) ?? 0
        for count in 0..<dot { #expect(JSONWebToken(decoding: String(decoding: text[..<count], as: UTF8.self)) == nil) }
        #expect(JSONWebToken(decoding: example + ".x") == nil)
    }

    @Test func encryptedTokenShowsItsHeaderAlone() throws {
        // RFC 7516 §A.1: {"alg":"RSA-OAEP","enc":"A256GCM"}
        let token = try #require(JSONWebToken(decoding: "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.a.b.c.d"))
        #expect(token.serialization == .jwe && token.header["enc"]?.string == "A256GCM" && token.claims.isEmpty)
    }

    @Test func readsAllKindsOfValues() throws {
        // {"a":[1,null,{"b":"c"}],"d":1.5,"e":false}
        let claims = "eyJhIjpbMSxudWxsLHsiYiI6ImMifV0sImQiOjEuNSwiZSI6ZmFsc2V9"
        let token = try #require(JSONWebToken(decoding: "e30.\(claims)."))
        #expect(token.claims["a"] == .array([.number(1), .null, .object(["b": .string("c")])]))
        #expect(token.claims["d"]?.number == 1.5 && token.claims["e"] == .bool(false))
    }

    @Test(arguments: ["", ".", "..", "a.b.c", "e30", "e30.e30", "{}.{}.", "W10.W10.", "opaque-token"])
    func opaqueTokensAreNone(text: String) { #expect(JSONWebToken(decoding: text) == nil) }
}
