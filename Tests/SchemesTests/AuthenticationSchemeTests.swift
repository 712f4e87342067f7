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
