import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct KerberosMessageTests {
    /// The KRB-ERROR of a recorded answer, without SPNEGO and GSS-API framing.
    private func refusal() throws -> [UInt8] { Array(try RecordedToken.bytes(RecordedToken.krbError).dropFirst(28)) }

    @Test func decodesWithAndWithoutFraming() throws {
        let bare = try KerberosMessage(decoding: refusal()[...])
        #expect(bare.krbError?.thisMech == nil && bare.krbError?.errorCode.rawValue == 31)
        let framed = try KerberosMessage(decoding: RecordedToken.bytes(RecordedToken.krbError)[13...])
        #expect(framed.krbError?.thisMech == .kerberos && framed.messageName == "KRB-ERROR")
    }

    @Test func refusesEveryPrefixAndOneByteTooMany() throws {
        let bytes = try refusal()
        for count in 0..<bytes.count {
            #expect(throws: DecodeError.self) { try KerberosMessage(decoding: bytes[..<count]) }
        }
        #expect(throws: DecodeError(.trailingBytes(count: 1), "KerberosMessage", offset: bytes.count)) {
            try KerberosMessage(decoding: (bytes + [0])[...])
        }
    }

    @Test("RFC 4120 §5.10: another version or message type is refused")
    func refusesOtherVersion() throws {
        var bytes = try refusal()
        bytes[8] = 4
        #expect(throws: DecodeError(.invalidValue("is 4, not 5"), "pvno", offset: 6)) {
            try KerberosMessage(decoding: bytes[...])
        }
    }

    @Test(
        arguments: [
            (0, "KDC_ERR_NONE"), (7, "KDC_ERR_S_PRINCIPAL_UNKNOWN"), (24, "KDC_ERR_PREAUTH_FAILED"),
            (37, "KRB_AP_ERR_SKEW"),
            (41, "KRB_AP_ERR_MODIFIED"), (60, "KRB_ERR_GENERIC"), (63, "KDC_ERR_KDC_NOT_TRUSTED"), (43, "unknown (43)"),
        ]
    )
    func namesErrorCodes(code: Int, name: String) { #expect(KerberosErrorCode(rawValue: code).name == name) }

    private func time(_ text: String) throws -> KerberosTime {
        var reader = try DERReader(([0x18, UInt8(text.utf8.count)] + Array(text.utf8))[...])
        return try KerberosTime(decoding: reader.readNode(as: "stime"), as: "stime")
    }

    @Test(
        arguments: [
            ("19700101000000Z", 0), ("20000229123456Z", 951_827_696), ("19851106210627Z", 500_159_187),
            ("20380119031408Z", 2_147_483_648),
            ("00000101000000Z", -62_167_219_200), ("16010101000000Z", -11_644_473_600),
        ]
    )
    func readsTimes(text: String, seconds: Int64) throws { #expect(try time(text).secondsSinceEpoch == seconds) }

    @Test(arguments: [
        "", "20261330000000Z", "20260101240000Z", "20260101000000", "2026010100000.0Z", "20260101000000z",
    ])
    func refusesOtherTimes(text: String) { #expect(throws: DecodeError.self) { try time(text) } }
}
