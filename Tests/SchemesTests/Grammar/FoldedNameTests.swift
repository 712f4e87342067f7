import Testing

@testable import AuthScanSchemes

@Suite struct FoldedNameTests {
    private func fold(_ text: String) -> FoldedName { FoldedName(text.utf8) }

    @Test("letter case does not count, anything else does")
    func folds() {
        #expect(fold("Realm") == fold("rEALM"))
        #expect(fold("nonce") != fold("cnonce") && fold("nc") != fold("nC1") && fold("") != fold("a"))
        // One bit of a letter's case apart, and no letters.
        #expect(fold("[") != fold("{") && fold("@") != fold("`"))
    }

    @Test("up to eight letters equal means equal")
    func isExactForShortNames() {
        #expect(fold("username").isExact && !fold("username*").isExact)
        let bytes = (UInt8(0x21)...0x7E).map { [$0] }
        #expect(Set(bytes.map { FoldedName($0) }).count == bytes.count - 26)
    }

    @Test("a longer name is told from one with the same fold")
    func comparesLongNames() {
        let named = { (name: String) in
            AuthParameter(
                name: name,
                value: "",
                isQuoted: false,
                escapedValue: nil,
                offset: 0,
                isSecret: false,
                key: FoldedName("username*".utf8)
            )
        }
        #expect(ParameterName("username*").isName(of: named("UserName*")))
        #expect(!ParameterName("username*").isName(of: named("xsername*")))
    }
}
