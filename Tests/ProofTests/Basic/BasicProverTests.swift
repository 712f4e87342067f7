import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import Testing

@testable import AuthScanProof

@Suite struct BasicProverTests {
    private func verdict(_ userPass: [UInt8], _ password: String) throws -> Proof.Verdict {
        let field = Array("Basic ".utf8) + Base64.encode(userPass)
        let credentials = try #require(ChallengeParser.parseCredentials(field[...]).basic)
        let known = KnownSecrets.Password(user: nil, text: Secret(password))
        return BasicProver(credentials: credentials, passwords: [known]).proof().verdict
    }

    @Test("RFC 7617 §2 and §2.1")
    func verifies() throws {
        #expect(try verdict(Array("Aladdin:open sesame".utf8), "open sesame") == .right)
        #expect(try verdict(Array("test:123£".utf8), "123£") == .right)
        #expect(try verdict(Array("Aladdin:open sesame".utf8), "Open sesame") == .wrong)
    }

    @Test("a password that arrives in another charset, or with a line break, is named")
    func namesDifferences() throws {
        let latin = Array("test:123".utf8) + [0xA3]
        #expect(try verdict(latin, "123£") == .rightForOther("the password in ISO-8859-1, not in UTF-8"))
        let windows = Array("test:12".utf8) + [0x80]
        #expect(try verdict(windows, "12€") == .rightForOther("the password in windows-1252, not in UTF-8"))
        let decomposed = Array("test:Mu\u{308}ller".utf8)
        #expect(
            try verdict(decomposed, "M\u{FC}ller") == .rightForOther("the password with its letters composed otherwise")
        )
        #expect(try verdict(Array("a:b\n".utf8), "b") == .rightForOther("the password with a line break behind it"))
        #expect(try verdict(Array("nocolon".utf8), "b") == .cannotTell("the credentials hold no password"))
    }
}
