import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanReport

@Suite struct ExchangesTextTests {
    private static let ntlm = """
        connection 1
        > GET /a
          Authorization: NTLM {NEGOTIATE_MESSAGE}
        < 401
          WWW-Authenticate: NTLM {CHALLENGE_MESSAGE}
        > GET /a
          Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice response=NTLMv2}
        < 200
        """
    private static let kerberos = """
        kdc > AS-REQ client=alice
        kdc < AS-REP client=alice
        connection 1
        > GET /a
          Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
        < 401
          WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=37}}
        """

    private func lines(_ transcript: String) throws -> [Substring] {
        let capture = try readCapture(try Transcript(transcript).capture().bytes)
        let report = Report(
            capture: capture,
            sessions: try sessions(of: transcript),
            diagnosis: try diagnosis(of: transcript)
        )
        return TextReport(isColoured: false, isVerbose: true).render(report).split(separator: "\n")
    }

    /// The names among those given, in the order in which a message's lines have them.
    private func order(of names: [String], in message: String, of lines: [Substring]) -> [String] {
        let words = lines.map { $0.drop { $0 == " " } }
        return words.drop { $0 != "message: \(message)" }.dropFirst().prefix { !$0.hasPrefix("message: ") }
            .compactMap { line in names.first { line.hasPrefix("\($0):") } }
    }

    @Test(
        "the fields of an NTLM message stand in the order of its fixed part",
        arguments: [
            ("NEGOTIATE_MESSAGE", ["flags", "domain", "workstation", "version"]),
            ("CHALLENGE_MESSAGE", ["targetName", "flags", "serverChallenge", "reserved", "avPairs", "version"]),
            (
                "AUTHENTICATE_MESSAGE",
                [
                    "lmResponse", "ntResponse", "ntlmv2", "avPairs", "domain", "user", "workstation",
                    "encryptedRandomSessionKey", "flags", "version", "mic",
                ]
            ),
        ]
    )
    func ordersNTLM(message: String, names: [String]) throws {
        let found = order(of: names, in: message, of: try lines(Self.ntlm))
        // `reserved` stands in the version as well; the first of a name counts.
        #expect(found.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } == names)
    }

    @Test(
        "the fields of a Kerberos message stand in wire order",
        arguments: [
            ("AS-REQ", ["pvno", "msgType", "kdcOptions", "cname", "realm", "sname", "till", "nonce", "etypes"]),
            ("AS-REP", ["pvno", "msgType", "crealm", "cname", "ticket", "encPart"]),
            ("AP-REQ", ["pvno", "msgType", "apOptionBits", "tktVno", "realm", "sname", "authenticator"]),
            ("KRB-ERROR", ["pvno", "msgType", "serverTime", "code", "realm", "sname"]),
        ]
    )
    func ordersKerberos(message: String, names: [String]) throws {
        let found = order(of: names, in: message, of: try lines(Self.kerberos))
        #expect(found.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } == names)
    }

    @Test("pre-authentication data stands before the body of a request")
    func ordersPreauthentication() throws {
        // An AS-REQ of alice with PA-AS-FRESHNESS.
        let request =
            "6a793077a103020105a20302010aa30e300c300aa10402020096a2020400a45b3059a00703050000000010a1123010a00302"
            + "0101a10930071b05616c696365a2031b0141a3163014a003020102a10d300b1b066b72627467741b0141a511180f32303236"
            + "303130363039303030305aa703020107a8053003020112"
        let names = ["pvno", "msgType", "padata", "kdcOptions", "cname", "realm", "sname", "till", "nonce", "etypes"]
        #expect(order(of: names, in: "AS-REQ", of: try lines("kdc > hex \(request)")) == names)
    }

    @Test("every line has one field")
    func writesAFieldALine() throws {
        let fields = try lines(Self.ntlm).filter { $0.contains("name: ") || $0.contains("headerOffset: ") }
        #expect(fields.contains { $0.hasSuffix("- name: DomainName") })
        #expect(fields.allSatisfy { !$0.contains(", ") })
    }
}
