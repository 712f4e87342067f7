import TestSupport
import Testing

@testable import AuthScanSchemes

/// `FieldParser` is the yardstick: what is ordinary must be the same in both.
@Suite struct OrdinaryFieldTests {
    private func isOrdinary(_ text: String, _ grammar: FieldParser.Grammar = .credentials) -> Bool {
        OrdinaryField.parse(Array(text.utf8)[...], as: grammar) != nil
    }

    @Test(
        "the forms that nearly all fields have are ordinary",
        arguments: [
            "Basic dXNlcjpwYXNz", "Bearer abc.def-ghi_~+/==", "  Negotiate\t YII=  ",
            #"Digest username="a", realm="b@c", uri="/x?y=,z", nc=00000001 , qop=auth, response="0f""#,
            #"AWS4-HMAC-SHA256 Credential=AK/2020/s3, SignedHeaders=host;date,Signature=0f"#, #"OAuth a="1",,b="2","#,
        ]
    )
    func takesOrdinaryCredentials(text: String) { #expect(isOrdinary(text)) }

    @Test(
        "what needs a closer look is left to the parser",
        arguments: [
            "", "Basic", "dXNlcjpwYXNz", "Basic a, Bearer b", "Basic a b", "Basic user=x", #"Digest realm="a\"b""#,
            #"Digest realm="a"#, "Digest realm=x", "Digest uri=x", #"Digest qop="auth" nc=1"#, "Digest nc=1, NC=2",
            "Digest nc = 1", "Digest a=1, A=2", "Digest abc!=1", "Digest nc=1, auth", "Digest nc=, a=1", "Digest \u{1}",
            "Digest realm=\"\u{7}\"", "Other a=x\"y", "Digest a=/",
        ]
    )
    func leavesTheRest(text: String) { #expect(!isOrdinary(text)) }

    @Test("a scheme alone is an ordinary challenge")
    func takesChallenges() {
        #expect(isOrdinary("NTLM", .challenges) && isOrdinary(#"Basic realm="x""#, .challenges))
        #expect(!isOrdinary("NTLM, Negotiate", .challenges) && !isOrdinary("Basic realm=x", .challenges))
    }

    @Test("a token68 of any length ends where its letters do", arguments: 1...150)
    func findsTheEndOfATokenOfAnyLength(count: Int) {
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        for padding in ["", "=", "==", "=== "] {
            let octets = Array("Bearer ".utf8) + letters + Array(padding.utf8)
            let end = octets.count - (padding.hasSuffix(" ") ? 1 : 0)
            #expect(OrdinaryField.parse(octets[...], as: .credentials)?.token == 7..<end)
        }
        for wrong in 0..<count {
            var octets = Array("Bearer ".utf8) + letters
            octets[7 + wrong] = UInt8(ascii: ":")
            #expect(OrdinaryField.parse(octets[...], as: .credentials)?.token == nil, "\(wrong)")
        }
    }

    @Test("whatever is ordinary is the same to the parser", arguments: 0..<2000 as Range<UInt64>)
    func agreesWithTheParser(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = [
            "Basic", "Digest", "Other", "NTLM ", " ", " ", ", ", ",", "=", "\"", "\"", "realm=", "realm=\"", "nc=",
            "Nonce=\"",
            "username*=", "x", "y=z", "==", "\\", "/", "\u{1}", "ü", "\t", "response=\"0f\"", "a.b=1", "algorithm=MD5",
            "qop=auth",
        ]
        var text = ["Digest ", "Other ", "Basic ", "Bearer ", ""].randomElement(using: &random) ?? ""
        for _ in 0..<Int.random(in: 0...8, using: &random) { text += words.randomElement(using: &random) ?? "" }
        let octets = Array("..".utf8) + Array(text.utf8)
        for grammar in [FieldParser.Grammar.challenges, .credentials] {
            guard let element = OrdinaryField.parse(octets[2...], as: grammar) else { continue }
            var parser = FieldParser(octets[2...], as: grammar)
            let parsed = parser.parse()
            #expect(parsed.count == 1, "\(text)")
            guard let other = parsed.first else { continue }
            #expect(element.scheme.rawValue == other.scheme.rawValue && element.offset == other.offset, "\(text)")
            #expect(element.token == other.token && other.unparsed == nil && other.problems.isEmpty, "\(text)")
            #expect(element.parameters == other.parameters, "\(text)")
        }
    }
}
