import AuthScanBytes
import Testing

@testable import AuthScanReport
@testable import AuthScanSchemes

@Suite struct PKINITJSONTests {
    /// A PA-PK-AS-REQ of RFC 4556 §3.2.1, with every field.
    private static let request =
        "3081c380818b30818806092a864886f70d010702a07b30790201033100307006072b060105020301a06504633061a0253023a003020107"
        + "a111180f32303236303130353039303030305aa203020109a30404020102a111300f300906072a8648ce3e020103020001a20e300c"
        + "300a06082a864886f70d0307a303040103a410300e300ca00a06082b060105020306023100a130302e302c800f300d310b30090603"
        + "5504030c02636181143012300d310b300906035504030c0263610201058203040106820107"

    private func json(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self).filter { !$0.isWhitespace }
    }

    @Test("every field of a request is written")
    func writesRequest() throws {
        let request = try PKASReq(decoding: try Hex.decode(Array(Self.request.utf8))[...])
        let text = json { PKINITJSON(secrets: .redact).write(request, to: &$0) }
        for member in [
            #""pkAuthenticator":{"cusec":7,"ctime":"2026-01-05T09:00:00.000000000Z","nonce":9,"paChecksum":"0102""#,
            #""trustedCertifiers":[{"subjectName":"CN=ca","issuer":"CN=ca","serialNumber":"05""#,
            #""supportedKDFs":["1.3.6.1.5.2.3.6.2"]"#,
        ] {
            #expect(text.contains(member))
        }
    }

    @Test("the encrypted key is a secret")
    func redactsKey() {
        let text = json { PKINITJSON(secrets: .redact).write(PKASRep.encKeyPack(Secret([1, 2])), to: &$0) }
        #expect(text == #"{"dhInfo":null,"encKeyPack":"‹redacted,2bytes›"}"#)
    }
}
