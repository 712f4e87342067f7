import Testing

@testable import AuthScanBytes

@Suite struct Base64EncodingTests {
    @Test(
        "RFC 4648 §10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func encodes(text: String, letters: String) {
        #expect(Base64.encode(Array(text.utf8)) == Array(letters.utf8))
    }

    @Test func roundTrip() throws {
        let bytes = (0..<256).map { UInt8($0) }
        for count in 0...256 {
            #expect(try Base64.decode(Base64.encode(bytes[..<count])[...]) == Array(bytes[..<count]))
        }
    }
}
