import Testing

@testable import AuthScanSchemes

@Suite struct AuthenticationSchemeTests {
    @Test func namesAreEqualInAnyCase() {
        let odd = AuthenticationScheme(rawValue: "nTLM")
        #expect(odd == .ntlm)
        #expect(odd.rawValue == "nTLM")
        #expect(Set([odd]).contains(.ntlm))
        #expect(AuthenticationScheme(rawValue: "NTLM2") != .ntlm)
    }

    @Test(
        arguments: [
            ("BASIC", .basic), ("digest", .digest), ("NTLM", .ntlm), ("negotiate", .negotiate), ("Kerberos", .kerberos),
            ("BEARER", .bearer), ("AWS4-HMAC-SHA256", .other), ("Basics", .other), ("", .other),
        ] as [(String, AuthenticationScheme.Kind)]
    )
    func kindFollowsTheName(name: String, kind: AuthenticationScheme.Kind) {
        #expect(AuthenticationScheme(rawValue: name).kind == kind)
    }

    @Test(
        "a name keeps its letters, whether it is written as usual or not",
        arguments: [
            "Basic", "basic", "BASIC", "BaSic", "Digest", "digesT", "NTLM", "Ntlm", "ntlm", "Negotiate", "negotiate",
            "NEgotiate", "Kerberos", "kerberoS", "Bearer", "bearer", "DPoP", "AWS4-HMAC-SHA256", "",
        ]
    )
    func keepsTheLetters(name: String) {
        let octets = Array(". \(name) =".utf8)
        let scheme = AuthenticationScheme(octets[1...], at: 1..<(1 + name.utf8.count))
        #expect(scheme.rawValue == name && scheme.kind == AuthenticationScheme(rawValue: name).kind)
    }

    @Test func onlyNTLMAndNegotiateBindTheConnection() {
        #expect(
            AuthenticationScheme.ntlm.requiresSameConnection && AuthenticationScheme.negotiate.requiresSameConnection
        )
        #expect(
            !AuthenticationScheme.basic.requiresSameConnection && !AuthenticationScheme.digest.requiresSameConnection
        )
    }

    @Test func eachKindHasABitOfItsOwn() {
        let bits = AuthenticationScheme.Kind.allCases.map(\.bit)
        #expect(bits.allSatisfy { $0.nonzeroBitCount == 1 } && Set(bits).count == bits.count)
    }

    @Test func ntlmIsKnownButNotRegistered() {
        #expect(AuthenticationScheme.ntlm.isKnown && !AuthenticationScheme.ntlm.isRegistered)
        #expect(AuthenticationScheme(rawValue: "dpop").isRegistered)
        #expect(!AuthenticationScheme(rawValue: "Turbo").isKnown)
    }
}
