import AuthScanSessions
import TestPipeline
import Testing

@Suite struct TransactionSignedURLTests {
    @Test(
        "a signature of a storage service is told from parameters that only look like one",
        arguments: [
            ("/a?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f", true), ("/a?x-amz-signature=6f", true),
            ("/a?X-Goog-Signature=6f", true), ("/a?AWSAccessKeyId=k&Expires=1&Signature=6f", true),
            ("/a?Expires=1&Signature=6f&Key-Pair-Id=k", true), ("/a?sv=2024-11-04&sr=b&sig=6f", true),
            ("/a?Signature=6f", false), ("/a?sig=6f", false), ("/a?sv=1", false), ("/a", false), ("/a?", false),
            ("/X-Amz-Signature=6f", false), ("/a?q=X-Amz-Signature", false),
        ]
    )
    func isSigned(target: String, expected: Bool) throws {
        let transcript = "connection 1\n> GET \(target)\n< 200"
        #expect(try #require(try sessions(of: transcript).transactions.first).isSignedURL == expected)
    }
}
