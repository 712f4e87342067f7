import AuthScanBytes
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

extension JSONWebTokenTests {
    @Test("RFC 7519 §4.1.4: at exp itself the token has ended")
    func holdsTimesAgainstAClock() throws {
        // {"nbf":100,"exp":200}
        let token = try #require(JSONWebToken(decoding: "e30.eyJuYmYiOjEwMCwiZXhwIjoyMDB9."))
        #expect(token.validity(at: 100) == .valid && token.validity(at: 199) == .valid)
        #expect(token.validity(at: 200) == .expired(seconds: 0) && token.validity(at: 99) == .notYetValid(seconds: 1))
        #expect(try #require(JSONWebToken(decoding: "e30.e30.")).validity(at: 1) == .unstated)
    }

    @Test("a time beyond all calendars is none")
    func refusesEnormousTimes() throws {
        // {"exp":1e300}
        let token = try #require(JSONWebToken(decoding: "e30.eyJleHAiOjFlMzAwfQ."))
        #expect(token.time("exp") == nil && token.validity(at: 1) == .unstated)
    }

    @Test("what is wrong with a token is said with its place")
    func saysWhatIsWrong() throws {
        guard case .failure(let few) = JSONWebToken.read("e30"), case .failure(let bad) = JSONWebToken.read("e3*.e30.")
        else {
            Issue.record("accepted")
            return
        }
        #expect("\(few)" == "JWT at offset 0: has 1 parts, not three or five" && bad.offset == 2)
        let headerAlone = try #require(JSONWebToken(decoding: "e30.e3*.x"))
        #expect(headerAlone.claims.isEmpty && headerAlone.problem?.offset == 6)
    }
}
