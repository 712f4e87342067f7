import Testing

@testable import AuthScanSchemes

@Suite struct OEMTextTests {
    @Test(
        "a code page is told by what its octets can be",
        arguments: [
            ([0x61, 0x6C], "al", NTLMString.Encoding.oem), ([0x6D, 0xFC, 0x6C], "mül", .oem),
            ([0x6D, 0x81, 0x6C], "mül", .codePage850), ([0x6D, 0xC3, 0xBC, 0x6C], "mül", .utf8),
            ([0x80], "€", .oem), ([0x90, 0xE1], "Éß", .codePage850), ([], "", .oem),
        ] as [([UInt8], String, NTLMString.Encoding)]
    )
    func decodes(bytes: [UInt8], text: String, encoding: NTLMString.Encoding) {
        let result = OEMText.decode(bytes[...])
        #expect(result.text == text && result.encoding == encoding)
    }

    @Test("every octet has a character")
    func decodesEveryOctet() {
        for byte in UInt8.min...UInt8.max { #expect(OEMText.decode([0x81, byte][...]).text.unicodeScalars.count == 2) }
    }
}
