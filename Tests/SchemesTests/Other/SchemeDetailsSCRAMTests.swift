import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct SchemeDetailsSCRAMTests {
    /// RFC 7804 §5: the messages of RFC 7677 §3 in base64.
    @Test("RFC 7804 §5: all four messages")
    func readsWorkedExample() throws {
        let first = try #require(
            credentials(
                "SCRAM-SHA-256 realm=\"testrealm@example.com\", data=\"biwsbj11c2VyLHI9ck9wck5HZndFYmVSV2diTkVrcU8=\""
            )
            .details()
        )
        #expect(first["message"] == .text("client-first-message") && first["username"] == .text("user"))
        #expect(first["nonce"] == .text("rOprNGfwEbeRWgbNEkqO") && first["channelBindingFlag"] == .text("n"))

        let second = try #require(
            challenges(
                "SCRAM-SHA-256 sid=AAAABBBBCCCCDDDD, data=\"cj1yT3ByTkdmd0ViZVJXZ2JORWtxTyVodllEcFdVYTJSYVRDQWZ1eEZJbGop"
                    + "aE5sRiRrMCxzPVcyMlphSjBTTlk3c29Fc1VFamI2Z1E9PSxpPTQwOTY=\""
            ).first?.details()
        )
        #expect(second["message"] == .text("server-first-message") && second["iterationCount"] == .number(4096))
        #expect(second["salt"] == .text("W22ZaJ0SNY7soEsUEjb6gQ==") && second["sid"] == .text("AAAABBBBCCCCDDDD"))

        let third = try #require(
            credentials(
                "SCRAM-SHA-256 sid=AAAABBBBCCCCDDDD, data=\"Yz1iaXdzLHI9ck9wck5HZndFYmVSV2diTkVrcU8laHZZRHBXVWEyUmFUQ0Fm"
                    + "dXhGSWxqKWhObEYkazAscD1kSHpiWmFwV0lrNGpVaE4rVXRlOXl0YWc5empmTUhnc3FtbWl6N0FuZFZRPQ==\""
            ).details()
        )
        #expect(third["message"] == .text("client-final-message") && third["channelBinding"] == .text("biws"))
        #expect(third["clientProof"] == .secret(Secret("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=")))

        let info = ChallengeParser.parseAuthenticationInfo(
            Array(
                "sid=AAAABBBBCCCCDDDD, data=\"dj02cnJpVFJCaTIzV3BSUi93dHVwK21NaFVaVW4vZEI1bkxUSlJzamw5NUc0PQ==\"".utf8
            )[...]
        )
        let last = try #require(info.scram())
        #expect(last["message"] == .text("server-final-message") && last.problems.isEmpty)
    }

    @Test("what is malformed is named")
    func namesFaults() throws {
        #expect(try #require(credentials("SCRAM-SHA-1 data=\"%%\"").details()).problems.map(\.kind) == [.invalidBase64])
        // r=a,s=b,i=1
        let weak = try #require(challenges("SCRAM-SHA-256 data=\"cj1hLHM9YixpPTE=\"").first?.details())
        #expect(weak.problems.map(\.message) == ["the iteration count is below 4096"])
        #expect(
            try #require(credentials("SCRAM-SHA-256 realm=a").details()).problems.map(\.kind) == [.missingParameter]
        )
    }
}
