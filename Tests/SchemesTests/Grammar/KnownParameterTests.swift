import Testing

@testable import AuthScanSchemes

@Suite struct KnownParameterTests {
    private func known(_ text: String) -> KnownParameter? { ParameterName(text).known }

    @Test("every known name is told, in any letter case")
    func tellsNames() {
        let names = [
            "realm", "nonce", "opaque", "stale", "algorithm", "qop", "charset", "userhash", "domain", "username",
            "username*", "uri", "response", "cnonce", "nc",
        ]
        #expect(names.map(known) == KnownParameter.allCases)
        #expect(names.map { known($0.uppercased()) } == KnownParameter.allCases)
    }

    @Test(
        "another name is none of them",
        arguments: ["", "n", "ncx", "realms", "sername*", "algorithms", "bsername*", "jlgorithf"]
    )
    func refusesOthers(name: String) { #expect(known(name) == nil) }
}
