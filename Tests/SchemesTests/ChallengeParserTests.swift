import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanSchemes

@Suite struct ChallengeParserTests {
    private func kinds(_ problems: [FieldProblem]) -> [FieldProblem.Kind] { problems.map(\.kind) }

    @Test("RFC 9110 §11.6.1")
    func readsTwoChallengesOfOneLine() throws {
        let list = challenges(#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#)
        #expect(list.map(\.scheme.rawValue) == ["Basic", "Newauth"])
        #expect(list.map(\.realm) == ["simple", "apps"])
        #expect(list.map(\.offset) == [0, 22])
        #expect(list[1].parameters["TITLE"] == #"Login to "apps""#)
        #expect(list[1].parameters.last?.escapedValue == #"Login to \"apps\""#)
        #expect(list[1].parameters.map(\.isQuoted) == [true, false, true])
        #expect(list.allSatisfy { $0.problems.isEmpty })
    }

    @Test("no proper prefix of the example passes for the whole")
    func prefixesDiffer() {
        let text = Array(#"Basic realm="simple", Digest realm="a", nonce="b\"""#.utf8)
        for count in 1..<text.count {
            let list = ChallengeParser.parseChallenges(text[..<count])
            // Cut within a scheme's name stands another scheme, and cut after the first challenge a whole one.
            let isWholeStep = count < 5 || (20...27).contains(count)
            #expect(isWholeStep || list.contains { !$0.problems.isEmpty }, "\(count) bytes")
        }
        #expect(ChallengeParser.parseChallenges(text[...]).allSatisfy { $0.problems.isEmpty })
    }

    @Test(
        "legal forms without any fault",
        arguments: [
            ("Negotiate", 1), ("Negotiate, NTLM", 2), ("NTLM , Negotiate,Basic realm=\"x\"", 3), (",, ,Negotiate,,", 1),
            ("negotiate YII=, NTLM", 2), ("Basic realm = \"x\" , charset=\"utf-8\"", 1), ("Basic\trealm=\"a, b=c\"", 1),
            ("Digest realm=\"\", nonce=\"\"", 1), ("Custom a=b", 1), ("Basic realm=\"x\", , Bearer", 2), ("", 0),
            (" , ,", 0),
            ("Newauth abc==, Basic realm=\"\\\\\"", 2),
        ]
    )
    func acceptsLegalForms(text: String, count: Int) {
        let list = challenges(text)
        #expect(list.count == count)
        // A token that is no message is the scheme's fault, not the grammar's.
        #expect(list.flatMap(\.problems).filter { $0.kind != .invalidToken }.isEmpty)
    }

    @Test(
        "malformed forms, with kind and offset",
        arguments: [
            ("Basic", .missingParameter, 0), ("Basic realm=foo", .unquotedValue, 12),
            ("Basic realm=\"x", .unterminatedQuotedString, 12),
            ("Basic realm=my own realm", .malformedValue, 12), ("null Bearer realm=\"x\"", .unexpectedText, 5),
            ("Basic realm=\"x\" charset=\"UTF-8\"", .unexpectedText, 16),
            ("Basic realm=\"a\", realm=\"b\"", .duplicateParameter, 17),
            ("Basic charset=\"UTF-8\", realm=", .incompleteParameter, 29), ("realm=\"x\"", .missingScheme, 0),
            ("=x", .invalidScheme, 0),
            ("Basic realm=\"x\", charset=latin", .invalidValue, 17), ("Basic realm=\"a\0b\"", .controlCharacter, 14),
            ("Digest realm=\"x\"", .missingParameter, 0),
            ("Digest realm=\"x\", nonce=\"y\", stale=\"true\"", .quotedValue, 29),
            ("Digest realm=\"x\", nonce=\"y\", qop=auth,auth-int", .malformedValue, 38),
            ("Foo bar baz", .unexpectedText, 4),
            ("NTLM TlRMTVNTUAA", .invalidBase64, 16), ("NTLM YEg=", .otherSchemesToken, 5),
        ] as [(String, FieldProblem.Kind, Int)]
    )
    func namesFaults(text: String, kind: FieldProblem.Kind, offset: Int) {
        let problem = challenges(text).flatMap(\.problems).first { $0.kind == kind }
        #expect(problem?.offset == offset)
    }

    @Test func valuesSurviveTheirFaults() {
        #expect(challenges("Basic realm=my own realm, Negotiate").map(\.realm) == ["my own realm", nil])
        let digest = challenges("Digest realm=\"x\", nonce=\"y\", qop=auth,auth-int, algorithm=MD5")
        #expect(digest.count == 1 && digest[0].parameters["qop"] == "auth,auth-int")
        #expect(challenges("Digest domain=/a,/b, /c, nonce=\"y\"")[0].parameters.map(\.value) == ["/a,/b, /c", "y"])
        #expect(challenges("null Bearer realm=\"x\"").map(\.scheme.rawValue) == ["null", "Bearer"])
        #expect(challenges("Basic realm=\"x\" charset=\"UTF-8\"")[0].parameters.count == 2)
        #expect(challenges("Basic realm=\"caf\u{E9}\"")[0].realm == "caf\u{E9}")
    }

    @Test func proxyChallengesSaySo() {
        let list = ChallengeParser.parseChallenges(Array("NTLM".utf8)[...], target: .proxy)
        #expect(list.first?.target == .proxy)
        #expect(challenges("NTLM").first?.target == .origin)
    }

    @Test(
        "credentials",
        arguments: [
            ("", .emptyField, 0), ("  ", .emptyField, 0), (",,,", .emptyField, 0), ("Negotiate", .missingContent, 0),
            ("Bearer", .missingContent, 0), ("Bearer a,Bearer a", .severalCredentials, 9),
            ("Bearer {a}", .unexpectedText, 7),
            ("eyJhbGciOiJub25lIn0.eyJhIjoxfQ.", .missingScheme, 0), ("user:secret", .missingScheme, 0),
            ("Basic user:secret", .invalidBase64, 5), ("Basic dXNlcg==", .missingColon, 6),
            ("Basic dTpw=", .invalidBase64, 10), ("Basi= ", .missingScheme, 0),
            ("Digest username=\"a\"", .missingParameter, 0), ("{x} y", .invalidScheme, 0),
        ] as [(String, FieldProblem.Kind, Int)]
    )
    func namesFaultsOfCredentials(text: String, kind: FieldProblem.Kind, offset: Int) {
        let problem = credentials(text).problems.first { $0.kind == kind }
        #expect(problem?.offset == offset)
    }

    @Test("a token without a scheme never shows as the scheme's name")
    func bareTokenIsSecret() {
        for text in ["eyJhbGciOiJub25lIn0.eyJhIjoxfQ.", "abcdefghijklmnopqrstuvwxyz012345", "a/b==", "user:secret"] {
            let value = credentials(text)
            #expect(value.isBareToken && value.scheme.rawValue.isEmpty)
            #expect(!String(describing: value).contains(text))
            #expect((value.token68?.text ?? value.unparsed)?.revealed == text)
        }
        #expect(!credentials("NTLM").isBareToken)
        // It may be the name of a scheme that nobody knows; it may as well be an application's key.
        #expect(credentials("Turbo").isBareToken)
    }

    @Test("no secret shows in a description")
    func secretsAreRedacted() {
        let values = [
            "Basic dXNlcjpTRUNSRVQ=", "Bearer SECRET", "Bearer {SECRET}", "Basic user:SECRET", "Token token=\"SECRET\"",
            "Digest username=\"u\", response=\"SECRET\"", "Bearer x=SECRET", "Hawk id=\"a\", mac=\"SECRET\"",
            "OAuth oauth_signature=\"SECRET\"",
        ]
        for value in values {
            var dumped = ""
            dump(credentials(value), to: &dumped)
            #expect(!dumped.contains("SECRET") && !dumped.contains("U0VDUkVU"), "\(value)")
        }
    }

    @Test("AWS's own syntax is no fault")
    func readsSignatureVersion4() {
        let value = credentials(
            "AWS4-HMAC-SHA256 Credential=AKIA/20261130/eu/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature=fe5f80"
        )
        #expect(value.problems.isEmpty)
        #expect(value.parameters.map(\.name) == ["Credential", "SignedHeaders", "Signature"])
        #expect(value.parameters.map(\.isSecret) == [false, false, true])
    }

    @Test("RFC 7616 §3.5")
    func readsAuthenticationInfo() {
        let text = #"nextnonce="47364c23432d2e131a5fb210812c", qop=auth, rspauth="abc", cnonce="x", nc=00000001"#
        let value = ChallengeParser.parseAuthenticationInfo(Array(text.utf8)[...])
        #expect(value.nextNonce == "47364c23432d2e131a5fb210812c" && value.qop == "auth" && value.nc == "00000001")
        #expect(value.parameters["rspauth"] == "abc" && value.problems.isEmpty)
    }

    @Test(
        "hostile repetition takes linear time",
        arguments: [
            ",", "Basic ", "Foo,", "a=b,", "a=\"\\", "a,/b", "b ", " ", "=", "a =b c\"", "A", "\0", "\"", "a=,",
        ]
    )
    func linearOnRepetition(piece: String) {
        let text = Array(("Digest qop=" + String(repeating: piece, count: 100_000)).utf8)
        let time = processorTime {
            _ = ChallengeParser.parseChallenges(text[...])
            _ = ChallengeParser.parseCredentials(text[...])
        }
        // Quadratic behaviour takes minutes here.
        #expect(time < .seconds(20))
        #expect(ChallengeParser.parseChallenges(text[...]).count <= FieldParser.elementLimit)
    }

    @Test func oneMegabyteTokenDecodes() throws {
        let value = credentials("Negotiate " + String(repeating: "QUJD", count: 1 << 18))
        #expect(try value.token68?.decoded.get().byteCount == 3 << 18)
    }

    @Test("any octets give values whose offsets lie within", arguments: 0..<400 as Range<UInt64>)
    func survivesAnything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "Basic", "Digest", "NTLM", "Negotiate", "Bearer", "realm", "=", "\"", "\\", ",", " ", "\t", "\0", "é", "a",
            "==",
            "TlRMTVNTUAAD", "nonce=\"x\"", "qop=auth", "username*", "UTF-8''%", "/", ".",
        ]
        let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        let octets = Array(text.joined().utf8)
        for value in ChallengeParser.parseChallenges(octets[...]) {
            #expect(value.problems.allSatisfy { (0...octets.count).contains($0.offset) })
            #expect(value.parameters.allSatisfy { (0..<octets.count).contains($0.offset) })
        }
        let value = ChallengeParser.parseCredentials(octets[...])
        #expect(value.problems.allSatisfy { (0...octets.count).contains($0.offset) })
    }
}
