import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import Testing

@testable import AuthScanProof

@Suite struct DigestProverTests {
    private func proofs(
        _ field: String,
        _ password: KnownSecrets.Password,
        method: String = "GET",
        target: String = "/dir/index.html",
        hasBody: Bool = false,
        rspauth: String? = nil
    ) throws -> [Proof] {
        let credentials = ChallengeParser.parseCredentials(Array(field.utf8)[...])
        let prover = DigestProver(
            credentials: try #require(credentials.digest),
            escapedUser: credentials.parameters.first { $0.name == "username" }?.escapedValue,
            method: method,
            target: target,
            hasBody: hasBody,
            rspauth: rspauth.map { Secret($0) },
            passwords: [password]
        )
        return prover.proofs()
    }

    private func password(_ text: String, user: String? = nil) -> KnownSecrets.Password {
        KnownSecrets.Password(user: user, text: Secret(text))
    }

    /// RFC 7616 §3.9.1, with the response of each algorithm.
    private func mufasa(_ algorithm: String, _ response: String) -> String {
        "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", uri=\"/dir/index.html\", algorithm=\(algorithm), "
            + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", nc=00000001, "
            + "cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\", qop=auth, response=\"\(response)\""
    }

    @Test(
        "RFC 7616 §3.9.1",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ]
    )
    func verifies(algorithm: String, response: String) throws {
        let field = mufasa(algorithm, response)
        #expect(try proofs(field, password("Circle of Life")).map(\.verdict) == [.right])
        #expect(try proofs(field, password("Circle of life")).map(\.verdict) == [.wrong])
        let other = try proofs(
            field.replacing("uri=\"/dir/index.html\"", with: "uri=\"/x\""),
            password("Circle of Life")
        )
        #expect(other.map(\.verdict) == [.rightForOther("the request target instead of uri")])
        #expect(
            try proofs(field, password("Circle of Life"), method: "HEAD").map(\.verdict) == [
                .rightForOther("the method GET instead of HEAD")
            ]
        )
    }

    @Test("RFC 7616 §3.9.2, with the values of its erratum 4897: SHA-512/256 and a hashed user name")
    func verifiesUserHash() throws {
        let field =
            "Digest username=\"793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b\", realm=\"api@example.org\", "
            + "uri=\"/doe.json\", algorithm=SHA-512-256, nonce=\"5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK\", "
            + "nc=00000001, cnonce=\"NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v\", qop=auth, "
            + "response=\"3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5\", userhash=true"
        let user = "J\u{E4}s\u{F8}n Doe"
        #expect(try proofs(field, password("Secret, or not?", user: user)).map(\.verdict) == [.right])
        #expect(
            try proofs(field, password("Secret, or not?", user: "Jason Doe")).map(\.verdict) == [
                .cannotTell("the user's name is hashed, and no known user has this hash")
            ]
        )
    }

    @Test("RFC 2617 §3.5: the same exchange in the older specification, and without qop as RFC 2069 has it")
    func verifiesOldForms() throws {
        let field =
            "Digest username=\"Mufasa\", realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", "
            + "uri=\"/dir/index.html\", "
        let new = field + "qop=auth, nc=00000001, cnonce=\"0a4f113b\", response=\"6629fae49393a05397450978507c4ef1\""
        #expect(try proofs(new, password("Circle Of Life")).map(\.verdict) == [.right])
        let old = field + "response=\"670fd8c2df070c60b045671b8b24ff02\""
        #expect(try proofs(old, password("Circle Of Life")).map(\.verdict) == [.right])
    }

    @Test("the server's proof, right and wrong")
    func verifiesServer() throws {
        let field = mufasa("MD5", "8ca523f5e9506fed4657c9700eebdbec")
        // With A2 = ":/dir/index.html", by an independent implementation.
        let right = "9b712497bc9f91499fbcca1dfc5f09a5"
        let wrong = try proofs(field, password("Circle of Life"), rspauth: "0000" + right.dropFirst(4))
        #expect(wrong.map(\.verdict) == [.right, .wrong])
        let verdicts = try proofs(field, password("Circle of Life"), rspauth: right).map(\.verdict)
        #expect(verdicts == [.right, .right])
    }

    @Test("auth-int covers a body that is not kept, unless there is none")
    func saysWhatIsMissing() throws {
        let field = mufasa("MD5", "8ca523f5e9506fed4657c9700eebdbec").replacing("qop=auth", with: "qop=auth-int")
        #expect(
            try proofs(field, password("Circle of Life"), hasBody: true).map(\.verdict) == [
                .cannotTell("qop is auth-int, and the request's body is not kept")
            ]
        )
        let unknown = mufasa("FOO-1", "00")
        #expect(
            try proofs(unknown, password("x")).map(\.verdict) == [.cannotTell("the algorithm is not registered")]
        )
    }

    @Test("-sess and auth-int without a body, by an independent implementation")
    func verifiesSession() throws {
        #expect(
            try proofs(mufasa("MD5-sess", "e783283f46242139c486a698fec7211d"), password("Circle of Life")).map(
                \.verdict
            ) == [.right]
        )
        #expect(
            try proofs(mufasa("MD5-sess", "8ca523f5e9506fed4657c9700eebdbec"), password("Circle of Life")).map(
                \.verdict
            )
                == [.rightForOther("computed without -sess")]
        )
        let integrity = mufasa("SHA-256", "8bdf6f15638e260831e905028de5450562816d093c9bfc5c13d3a46adcdde940").replacing(
            "qop=auth",
            with: "qop=auth-int"
        )
        #expect(try proofs(integrity, password("Circle of Life")).map(\.verdict) == [.right])
    }
}
