import Testing
@testable import AuthScanSchemes

@Suite struct AuthenticationSchemeTests {
    @Test func namesAreEqualInAnyCase() { #expect(AuthenticationScheme(rawValue: "nTLM") == .ntlm) }
}
