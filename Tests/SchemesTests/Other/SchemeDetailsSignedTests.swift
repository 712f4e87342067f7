import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct SchemeDetailsSignedTests {
    @Test("AWS, Signature Version 4: the example of the documentation")
    func readsAWS4() throws {
        let signature = String(repeating: "5d", count: 32)
        let details = try #require(
            credentials(
                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
                    + "SignedHeaders=content-type;host;x-amz-date, Signature=\(signature)"
            ).details()
        )
        #expect(details.problems.isEmpty && details["accessKey"] == .text("AKIDEXAMPLE"))
        #expect(details["date"] == .text("20150830") && details["region"] == .text("us-east-1"))
        #expect(
            details["service"] == .text("iam")
                && details["signedHeaders"] == .list(["content-type", "host", "x-amz-date"])
        )
    }

    @Test("AWS: a scope in the wrong form is named")
    func namesAWS4Faults() throws {
        let details = try #require(credentials("AWS4-HMAC-SHA256 Credential=AKID/2015-08-30/us/iam/aws").details())
        #expect(
            details.problems.map(\.message) == [
                "the date of Credential is not YYYYMMDD", "Credential does not end in aws4_request",
                "SignedHeaders is missing", "Signature is missing",
            ]
        )
    }

    @Test("Hawk: the example of its specification")
    func readsHawk() throws {
        let details = try #require(
            credentials(
                "Hawk id=\"dh37fgj492je\", ts=\"1353832234\", nonce=\"j4h3g2\", ext=\"some-app-ext-data\", "
                    + "mac=\"6R4rV5iE+NPoym+WwjeHzjAGXUtLNIxmo1vpMofpLAE=\""
            ).details()
        )
        #expect(
            details.problems.isEmpty && details["id"] == .text("dh37fgj492je") && details["ts"] == .time(1_353_832_234)
        )
        let wrong = try #require(credentials("Hawk id=\"a\", ts=\"yesterday\"").details())
        #expect(wrong.problems.map(\.kind) == [.invalidValue, .missingParameter, .missingParameter])
    }

    @Test("RFC 5849 §3.5.1")
    func readsOAuth() throws {
        let details = try #require(
            credentials(
                "OAuth realm=\"Example\", oauth_consumer_key=\"0685bd9184jfhq22\", oauth_token=\"ad180jjd733klru7\", "
                    + "oauth_signature_method=\"HMAC-SHA1\", oauth_signature=\"wOJIO9A2W5mFwDgiDvZbTSMK%2FPY%3D\", "
                    + "oauth_timestamp=\"137131200\", oauth_nonce=\"4572616e48616d6d65724c61686176\", oauth_version=\"1.0\""
            ).details()
        )
        #expect(details.problems.isEmpty && details["consumerKey"] == .text("0685bd9184jfhq22"))
        #expect(details["timestamp"] == .time(137_131_200))
        #expect(details["signature"] == .secret(Secret("wOJIO9A2W5mFwDgiDvZbTSMK/PY=")))
    }

    @Test("RFC 3986 §2.1: what is no triplet stays as it is")
    func decodesPercent() { #expect(percentDecoded("a%2Fb%2") == "a/b%2" && percentDecoded("%C3%A4%zz") == "ä%zz") }
}
