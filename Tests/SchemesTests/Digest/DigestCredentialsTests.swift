import Testing

@testable import AuthScanSchemes

@Suite struct DigestCredentialsTests {
    @Test("RFC 7616 §3.9.1")
    func readsWorkedExample() throws {
        let list = challenges(
            """
            Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """
        )
        guard case .digest(let challenge) = list[0].content else {
            Issue.record("another kind of content")
            return
        }
        #expect(list[0].problems.isEmpty)
        #expect(challenge.qop == ["auth", "auth-int"] && challenge.effectiveAlgorithm.hash == .sha256)
        #expect(challenge.quotedParameters == ["realm", "qop", "nonce", "opaque"])

        let value = credentials(
            """
            Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=MD5, \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, \
            cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, \
            response="8ca523f5e9506fed4657c9700eebdbec", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """
        )
        let digest = try #require(value.digest)
        #expect(value.problems.isEmpty)
        #expect(digest.username == "Mufasa" && digest.uri == "/dir/index.html" && digest.nonceCount == 1)
        #expect(digest.response?.revealed == "8ca523f5e9506fed4657c9700eebdbec")
        #expect(digest.effectiveAlgorithm.hash == .md5 && !digest.effectiveAlgorithm.isSession)
    }

    @Test("RFC 7616 §3.9.2: a hashed name shows no user, an extended name does")
    func readsUserhashAndExtendedName() throws {
        let common =
            #"realm="api@example.org", uri="/doe.json", nonce="x", response="\#(String(repeating: "0", count: 64))", "#
        let hashed = credentials(#"Digest username="488869477bf2", \#(common)algorithm=SHA-512-256, userhash=true"#)
        #expect(hashed.user == nil && hashed.digest?.userhash == true && hashed.problems.isEmpty)
        let extended = credentials(#"Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, \#(common)algorithm=SHA-256-sess"#)
        #expect(extended.user == "J\u{E4}s\u{F8}n Doe" && extended.problems.isEmpty)
        #expect(extended.digest?.effectiveAlgorithm.isSession == true)
    }

    @Test(
        "faults of single parameters",
        arguments: [
            ("nc=1", .invalidValue), ("nc=0000000g", .invalidValue), ("qop=\"auth\"", .quotedValue),
            ("nc=\"00000001\"", .quotedValue),
            ("qop=\"auth,auth-int\"", .invalidValue), ("algorithm=\"MD5\"", .quotedValue),
            ("username*=x", .invalidValue),
            ("opaque=abc", .unquotedValue), ("qop=auth", .missingParameter), ("algorithm=SHA-256", .invalidValue),
            ("qop=auth,auth-int", .malformedValue),
        ] as [(String, FieldProblem.Kind)]
    )
    func namesFaults(parameter: String, kind: FieldProblem.Kind) {
        let good =
            #"Digest username="a", realm="b", nonce="c", uri="/", response="\#(String(repeating: "0", count: 32))""#
        #expect(credentials(good).problems.isEmpty)
        #expect(credentials(good + ", " + parameter).problems.contains { $0.kind == kind })
    }

    @Test func quotedPairsAreKeptAsSent() throws {
        let parameters = credentials(#"Digest username="CORP\\alice", realm="x""#).parameters
        #expect(parameters["username"] == #"CORP\alice"#)
        #expect(parameters.first?.escapedValue == #"CORP\\alice"#)
    }
}
