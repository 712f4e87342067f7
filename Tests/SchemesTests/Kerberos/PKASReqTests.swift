import AuthScanBytes
import Testing

@testable import AuthScanSchemes
@testable import TestSupport

@Suite struct PKASReqTests {
    /// A name's part: C=AU or O=Widgits, Ltd.
    private static func part(_ type: Int, _ text: String) -> [UInt8] {
        let attribute = DERWriter.sequence([
            DERWriter.objectIdentifier([2, 5, 4, type]), DERWriter.value(tag: 0x0C, Array(text.utf8)),
        ])
        return DERWriter.value(tag: 0x31, attribute)
    }

    private static let name = DERWriter.sequence([part(6, "AU"), part(10, "Widgits, Ltd")])

    private static let authenticator = DERWriter.sequence([
        DERWriter.tagged(0, DERWriter.integer(64_942)),
        DERWriter.tagged(1, DERWriter.generalizedTime("20170904105802Z")),
        DERWriter.tagged(2, DERWriter.integer(769_193_509)),
        DERWriter.tagged(3, DERWriter.octetString([0xD1, 0xC9])),
    ])

    private static let authPack: [UInt8] = {
        let tripleDES = DERWriter.sequence([DERWriter.objectIdentifier([1, 2, 840, 113549, 3, 7])])
        let dhpublicnumber = DERWriter.sequence([DERWriter.objectIdentifier([1, 2, 840, 10046, 2, 1])])
        let sha256 = DERWriter.sequence([
            DERWriter.tagged(0, DERWriter.objectIdentifier([1, 3, 6, 1, 5, 2, 3, 6, 2]))
        ])
        return DERWriter.sequence([
            DERWriter.tagged(0, authenticator),
            DERWriter.tagged(1, DERWriter.sequence([dhpublicnumber, DERWriter.value(tag: 0x03, [0, 1])])),
            DERWriter.tagged(2, DERWriter.sequence([tripleDES])),
            DERWriter.tagged(3, DERWriter.octetString([7])),
            DERWriter.tagged(4, DERWriter.sequence([sha256])),
        ])
    }()

    /// What is signed in a ContentInfo without signatures, as an anonymous user sends it.
    static func contentInfo(_ type: [Int], _ content: [UInt8], certificates: [UInt8] = []) -> [UInt8] {
        let encapsulated = DERWriter.sequence([
            DERWriter.objectIdentifier(type), DERWriter.tagged(0, DERWriter.octetString(content)),
        ])
        let empty = DERWriter.value(tag: 0x31, [])
        let signed = DERWriter.sequence([DERWriter.integer(3), empty, encapsulated, certificates, empty])
        return DERWriter.sequence([
            DERWriter.objectIdentifier([1, 2, 840, 113549, 1, 7, 2]), DERWriter.tagged(0, signed),
        ])
    }

    private static let request: [UInt8] = {
        let issuer = DERWriter.sequence([name, DERWriter.value(tag: 0x02, [0, 0xA1])])
        let certifier = DERWriter.sequence([
            DERWriter.value(tag: 0x80, name), DERWriter.value(tag: 0x81, issuer),
            DERWriter.value(tag: 0x82, DERWriter.octetString([0xEA, 0xB7])),
        ])
        return DERWriter.sequence([
            DERWriter.value(tag: 0x80, contentInfo([1, 3, 6, 1, 5, 2, 3, 1], authPack)),
            DERWriter.tagged(1, DERWriter.sequence([certifier])),
            DERWriter.value(tag: 0x82, [9]),
        ])
    }()

    @Test("RFC 4556 §3.2.1: what the client signs, and whom it trusts")
    func decodes() throws {
        let request = try PKASReq(decoding: Self.request[...])
        #expect(request.pkAuthenticator.cusec == 64_942 && request.pkAuthenticator.nonce == 769_193_509)
        #expect(request.pkAuthenticator.ctime.text == "20170904105802Z")
        #expect(request.pkAuthenticator.paChecksum == [0xD1, 0xC9] && request.pkAuthenticator.freshnessToken == nil)
        #expect(request.signedAuthPack.eContentType.rawValue == "1.3.6.1.5.2.3.1")
        #expect(request.signedAuthPack.signerCount == 0 && request.signedAuthPack.certificateCount == 0)
        #expect(request.clientPublicValueAlgorithm?.rawValue == "1.2.840.10046.2.1")
        #expect(request.supportedCMSTypes.map(\.rawValue) == ["1.2.840.113549.3.7"])
        #expect(request.supportedKDFs.map(\.rawValue) == ["1.3.6.1.5.2.3.6.2"])
        #expect(request.clientDHNonce == [7] && request.kdcPkId == [9])
        let certifier = try #require(request.trustedCertifiers.first)
        #expect(certifier.subjectName == #"O=Widgits\, Ltd,C=AU"# && certifier.issuer == certifier.subjectName)
        #expect(certifier.serialNumber == [0, 0xA1] && certifier.subjectKeyIdentifier == [0xEA, 0xB7])
    }

    @Test("no proper prefix is a request")
    func refusesPrefixes() {
        for count in 0..<Self.request.count {
            #expect(throws: DecodeError.self) { try PKASReq(decoding: Self.request.prefix(count)) }
        }
    }

    @Test("a value that is no SignedData is kept with its problem, and the place of it")
    func keepsMalformedValues() throws {
        let value = DERWriter.sequence([DERWriter.value(tag: 0x80, DERWriter.sequence([DERWriter.integer(1)]))])
        let data = DERWriter.sequence([
            DERWriter.tagged(1, DERWriter.integer(16)), DERWriter.tagged(2, DERWriter.octetString(value)),
        ])
        var reader = try DERReader(DERWriter.sequence([data])[...])
        let list = try PreauthenticationData.list(decoding: try reader.readNode(as: "padata"))
        #expect(list[0].content == .other)
        #expect(list[0].problem == DecodeError(.invalidValue("is no OBJECT IDENTIFIER"), "contentType", offset: 6))
    }
}
