import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct SchemeDetailsKeysTests {
    @Test("RFC 7486 §3")
    func readsHOBA() throws {
        let challenge = try #require(
            challenges("HOBA max-age=\"180\", challenge=\"16:MTEyMzEyMzEyMw==1:028:https://www\"")[0].details()
        )
        #expect(challenge["maxAge"] == .number(180) && challenge.problems.isEmpty)
        let answer = try #require(credentials("HOBA result=\"123.c.n.sig\"").details())
        #expect(answer["kid"] == .text("123") && answer["nonce"] == .text("n"))
        #expect(try #require(credentials("HOBA result=\"a.b\"").details()).problems.map(\.kind) == [.invalidValue])
    }

    @Test("RFC 8120 §4: the messages are told apart by their parameters")
    func namesMutualMessages() throws {
        func message(_ details: SchemeDetails?) -> SchemeField.Value? { details?["message"] }
        let common = "Mutual version=1, algorithm=iso-kam3-ec-p256-sha256, validation=host, realm=\"a\""
        #expect(message(challenges(common + ", reason=initial")[0].details()) == .text("401-INIT"))
        #expect(message(challenges(common + ", sid=a, ks1=\"b\"")[0].details()) == .text("401-KEX-S1"))
        #expect(message(credentials(common + ", user=\"a\", kc1=\"b\"").details()) == .text("req-KEX-C1"))
        #expect(message(credentials(common + ", sid=a, nc=0, vkc=\"b\"").details()) == .text("req-VFY-C"))
    }

    @Test("RFC 9577 §2.1: the challenge names the issuer and the origin")
    func readsPrivateToken() throws {
        // token_type 2, issuer "issuer.example", no context, origin "origin.example"
        let bytes = try hex(
            "0002 000e" + Hex.encode(Array("issuer.example".utf8)) + "00 000e"
                + Hex.encode(Array("origin.example".utf8))
        )
        let text = String(decoding: Base64.encode(bytes), as: UTF8.self)
        let challenge = try #require(challenges("PrivateToken challenge=\"\(text)\", token-key=\"abc\"")[0].details())
        #expect(
            challenge["issuerName"] == .text("issuer.example") && challenge["originInfo"] == .list(["origin.example"])
        )
        #expect(challenge["tokenType"] == .number(2) && challenge.problems.isEmpty)
        let token = try #require(credentials("PrivateToken token=\"AAI=\"").details())
        #expect(token.problems.map(\.kind) == [.invalidToken])
    }

    @Test("RFC 8292 §2.4: the token's claims")
    func readsVapid() throws {
        let details = try #require(
            credentials(
                "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1"
                    + "MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.c2ln, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxH"
            ).details()
        )
        guard case .json(let claims)? = details["t.claims"] else {
            Issue.record("no claims")
            return
        }
        #expect(claims["aud"] == .string("https://push.example.net") && details.problems.isEmpty)
        #expect(try #require(credentials("vapid t=abc, k=d").details()).problems.map(\.kind) == [.invalidToken])
    }

    @Test("RFC 9449, RFC 9635, RFC 9729")
    func readsTheRest() throws {
        let dpop = try #require(challenges("DPoP algs=\"ES256 PS256\", error=\"use_dpop_nonce\"")[0].details())
        #expect(dpop["algs"] == .list(["ES256", "PS256"]) && dpop["error"] == .text("use_dpop_nonce"))
        let gnap = try #require(challenges("GNAP as_uri=https://server.example/tx, access=abc")[0].details())
        #expect(gnap["asURI"] == .text("https://server.example/tx") && gnap.problems.isEmpty)
        let concealed = try #require(credentials("Concealed k=YmFz, a=VGhp, s=2055, v=dmVy, p=cHJv").details())
        #expect(concealed["s"] == .number(2055) && concealed.problems.isEmpty)
    }
}
