import AuthScanNativeCodecs
import TestSupport
import Testing

@Suite struct HPACKInflaterTests {
    private static func lines(_ inflater: HPACKInflater, _ digits: String) throws -> [String] {
        var lines: [String] = []
        let block = bytes(hex: digits)
        try inflater.inflate(block, limit: 1 << 16) { name, value in
            lines.append(String(decoding: name, as: UTF8.self) + ": " + String(decoding: value, as: UTF8.self))
        }
        return lines
    }

    /// RFC 7541 §C.4: requests with Huffman coding, each with the table that the one before has left.
    @Test func readsRequests() throws {
        let inflater = try #require(HPACKInflater())
        let common = [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"]
        #expect(try Self.lines(inflater, "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff") == common)
        #expect(try Self.lines(inflater, "8286 84be 5886 a8eb 1064 9cbf") == common + ["cache-control: no-cache"])
        #expect(
            try Self.lines(inflater, "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf")
                == [
                    ":method: GET", ":scheme: https", ":path: /index.html", ":authority: www.example.com",
                    "custom-key: custom-value",
                ]
        )
    }

    /// RFC 7541 §C.3.1 without Huffman coding, and §C.2.1 to C.2.4.
    @Test(arguments: [
        ("8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", ":authority: www.example.com"),
        ("400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", "custom-key: custom-header"),
        ("040c 2f73 616d 706c 652f 7061 7468", ":path: /sample/path"),
        ("1008 7061 7373 776f 7264 0673 6563 7265 74", "password: secret"),
        ("82", ":method: GET"),
    ])
    func readsRepresentations(digits: String, last: String) throws {
        #expect(try Self.lines(try #require(HPACKInflater()), digits).last == last)
    }

    @Test("a reference to nothing is damage")
    func refusesUnknownIndices() throws {
        let inflater = try #require(HPACKInflater())
        #expect(throws: HPACKInflater.Damaged.self) { try inflater.inflate([0xBE], limit: 100) { _, _ in } }
    }

    @Test("what is beyond the limit is passed over")
    func keepsItsLimit() throws {
        let inflater = try #require(HPACKInflater())
        var count = 0
        let isWhole = try inflater.inflate([0x82, 0x82, 0x82], limit: 90) { _, _ in count += 1 }
        #expect(!isWhole)
        #expect(count == 2)
    }
}
