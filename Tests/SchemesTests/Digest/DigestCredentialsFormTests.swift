import Testing

@testable import AuthScanSchemes

@Suite struct DigestCredentialsFormTests {
    private func digest(_ parameters: String) throws -> DigestCredentials {
        try #require(credentials("Digest " + parameters).digest)
    }

    @Test(
        "what RFC 7616 §3.4 wants in quotes must have them, and the three others must not",
        arguments: [
            (#"username="a", realm="r", nonce="n", uri="/", nc=00000001, qop=auth, algorithm=MD5"#, false),
            (#"username=a, realm="r", nonce="n", uri="/""#, true), (#"username="a", opaque=o"#, true),
            (#"username="a", qop="auth""#, true), (#"username="a", nc="00000001""#, true),
            (#"username="a", algorithm="MD5""#, true), (#"username="a", charset=UTF-8, userhash="true""#, false),
            // Of several with one name the first counts.
            (#"qop=auth, qop="auth""#, false), (#"qop="auth", qop=auth"#, true),
        ]
    )
    func tellsWrongForms(parameters: String, isMisquoted: Bool) throws {
        #expect(try digest(parameters).isMisquoted == isMisquoted)
    }

    @Test("parameters with a quote or a quoted-pair are few")
    func findsQuotes() throws {
        #expect(try digest(#"username="a", realm="r", nonce=n"#).parametersWithQuotes.isEmpty)
        #expect(try digest(#"username="CORP\alice", realm="r""#).parametersWithQuotes.map(\.name) == ["username"])
        #expect(try digest(#"username="a", realm="\"r\"", uri="/""#).parametersWithQuotes.map(\.name) == ["realm"])
    }
}
