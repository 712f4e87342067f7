import Testing

@testable import AuthScanSchemes

@Suite struct AuthParametersTests {
    private func parameters(_ text: String) -> AuthParameters {
        ChallengeParser.parseCredentials(Array(text.utf8)[...]).parameters
    }

    private let ordinary = #"Digest username="alice", realm="r", response="0f", x-own=1, NC=00000001"#

    @Test("names are found in any letter case, known ones and others")
    func findsNames() {
        let parameters = parameters(ordinary)
        #expect(parameters.ordinary != nil && parameters.count == 5)
        #expect(parameters["USERNAME"] == "alice" && parameters["X-Own"] == "1" && parameters["nc"] == "00000001")
        #expect(parameters["uri"] == nil && parameters["y-own"] == nil && parameters["own"] == nil)
        #expect(parameters.map(\.name) == ["username", "realm", "response", "x-own", "NC"])
        #expect(parameters.map(\.isQuoted) == [true, true, true, false, false])
    }

    @Test("the same parameters are equal however they are kept")
    func comparesByContent() {
        let ordinary = parameters(ordinary)
        let made = AuthParameters(Array(ordinary))
        #expect(ordinary == made && ordinary.hashValue == made.hashValue && made.ordinary == nil)
        #expect(ordinary != parameters(#"Digest username="alice""#))
    }

    @Test("neither text nor reflection shows a secret")
    func redactsSecrets() {
        let parameters = parameters(#"Digest username="alice", response="5ec3e7""#)
        var dumped = ""
        dump(parameters, to: &dumped)
        #expect(!dumped.contains("5ec3e7") && !"\(parameters)".contains("5ec3e7"))
        #expect(parameters.description == #"username="alice", response=‹redacted, 6 bytes›"#)
    }

    @Test("reflection of credentials shows no octet of the field")
    func hidesTheField() {
        var dumped = ""
        dump(ChallengeParser.parseCredentials(Array("Basic dXNlcjpwYXNz".utf8)[...]), to: &dumped)
        #expect(!dumped.contains("100") && !dumped.contains("dXN"))
    }
}
