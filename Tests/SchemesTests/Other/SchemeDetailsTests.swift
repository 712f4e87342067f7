import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct SchemeDetailsTests {
    @Test("schemes with a type of their own, and unknown ones, have none")
    func leavesOthersAlone() {
        #expect(credentials("Basic YTpi").details() == nil)
        #expect(credentials("Frobnicate a=b").details() == nil)
        #expect(challenges("Digest realm=\"a\", nonce=\"b\"")[0].details() == nil)
    }

    @Test("no part that proves something shows in a description")
    func keepsSecrets() {
        let canary = "c4n4ry"
        for text in [
            "Hawk id=\"a\", ts=\"1\", nonce=\"n\", mac=\"\(canary)\"",
            "AWS4-HMAC-SHA256 Credential=a/20260101/r/s/aws4_request, SignedHeaders=host, Signature=\(canary)",
            "OAuth oauth_signature=\"\(canary)\", oauth_token=\"\(canary)\"", "HOBA result=\"a.b.c.\(canary)\"",
            "Concealed k=a, a=b, s=2055, v=\(canary), p=\(canary)", "Mutual sid=a, vkc=\"\(canary)\"",
            "GNAP \(canary)", "DPoP \(canary)", "Token \(canary)", "vapid t=\(canary), k=abc",
        ] {
            let details = credentials(text).details()
            #expect(details != nil && !"\(String(describing: details))".contains(canary), "\(text)")
        }
    }
}
