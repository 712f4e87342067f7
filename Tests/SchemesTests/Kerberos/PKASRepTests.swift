import AuthScanBytes
import Testing

@testable import AuthScanSchemes
@testable import TestSupport

@Suite struct PKASRepTests {
    private static let agreement: [UInt8] = {
        let info = DERWriter.sequence([
            DERWriter.tagged(0, DERWriter.value(tag: 0x03, [0, 2, 1, 5])),
            DERWriter.tagged(1, DERWriter.integer(769_193_509)),
            DERWriter.tagged(2, DERWriter.generalizedTime("20170905105802Z")),
        ])
        let certificate = DERWriter.tagged(0, DERWriter.sequence([]))
        let signed = PKASReqTests.contentInfo([1, 3, 6, 1, 5, 2, 3, 2], info, certificates: certificate)
        let derivation = DERWriter.sequence([
            DERWriter.tagged(0, DERWriter.objectIdentifier([1, 3, 6, 1, 5, 2, 3, 6, 2]))
        ])
        let fields = DERWriter.sequence([
            DERWriter.value(tag: 0x80, signed), DERWriter.tagged(1, DERWriter.octetString([8])),
            DERWriter.tagged(2, derivation),
        ])
        return DERWriter.tagged(0, fields)
    }()

    @Test("RFC 4556 §3.2.3.1: the KDC's half of an agreement")
    func decodesAgreement() throws {
        guard case .dhInfo(let info) = try PKASRep(decoding: Self.agreement[...]) else {
            Issue.record("another form")
            return
        }
        #expect(info.nonce == 769_193_509 && info.subjectPublicKey == [2, 1, 5])
        #expect(info.dhKeyExpiration?.text == "20170905105802Z" && info.serverDHNonce == [8])
        #expect(info.kdf?.rawValue == "1.3.6.1.5.2.3.6.2" && info.dhSignedData.certificateCount == 1)
    }

    @Test("RFC 4556 §3.2.3.2: a key encrypted for the certificate's")
    func decodesKeyPack() throws {
        #expect(try PKASRep(decoding: [0x81, 2, 1, 2]) == .encKeyPack(Secret([1, 2])))
    }

    @Test("no proper prefix is an answer")
    func refusesPrefixes() {
        for count in 0..<Self.agreement.count {
            #expect(throws: DecodeError.self) { try PKASRep(decoding: Self.agreement.prefix(count)) }
        }
    }
}
