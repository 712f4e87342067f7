import Testing

@testable import AuthScanSchemes

@Suite struct BasicCredentialsTests {
    @Test("RFC 7617 §2")
    func readsAladdin() throws {
        let value = credentials("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let basic = try #require(value.basic)
        #expect(basic.userID == "Aladdin" && basic.password?.revealed == "open sesame" && basic.charset == .ascii)
        #expect(value.problems.isEmpty && value.user == "Aladdin")
    }

    @Test("RFC 7617 §2.1")
    func readsUTF8AndLatin1() throws {
        let utf8 = try #require(credentials("Basic dGVzdDoxMjPCow==").basic)
        #expect(utf8.userID == "test" && utf8.password?.revealed == "123£" && utf8.charset == .utf8)
        let latin = try #require(credentials("basic dGVzdDoxMjOj").basic)
        #expect(latin.password?.revealed == "123£" && latin.charset == .latin1)
        #expect(latin.passwordBytes?.revealed == [0x31, 0x32, 0x33, 0xA3])
    }

    @Test("the password may hold colons, the user-id may be empty")
    func splitsAtTheFirstColon() throws {
        let value = try #require(credentials("Basic OmE6Yg==").basic)
        #expect(value.userID.isEmpty && value.password?.revealed == "a:b")
    }

    @Test("what `echo` adds is named")
    func namesLineBreak() {
        let value = credentials("Basic dXNlcjpwYXNzCg==")
        #expect(value.problems.map(\.message) == ["the password ends in a line break"])
        #expect(value.problems.map(\.offset) == [18])
    }

    @Test func missingPaddingIsNotedAndDecoded() {
        let value = credentials("Basic dXNlcjpwdw")
        #expect(value.basic?.password?.revealed == "pw" && value.problems.map(\.kind) == [.invalidBase64])
        #expect(credentials("Basic d~NlcjpwdzEy").basic == nil)
    }

    @Test func challengeNeedsARealm() {
        #expect(challenges("Basic realm=\"WallyWorld\"")[0].problems.isEmpty)
        #expect(challenges("Basic charset=\"UTF-8\"")[0].problems.map(\.kind) == [.missingParameter])
    }

    @Test("octets that ISO 8859-1 gives no characters are read in Windows' code page")
    func readsWindows1252() {
        // user:€
        let value = credentials("Basic dXNlcjqA")
        #expect(value.basic?.charset == .windows1252 && value.basic?.password?.revealed == "€")
    }
}
