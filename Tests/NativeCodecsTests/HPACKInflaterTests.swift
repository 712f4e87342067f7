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

    /// RFC 7541 §C.3: the same requests without Huffman coding.
    @Test func readsPlainRequests() throws {
        let inflater = try #require(HPACKInflater())
        let common = [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"]
        #expect(try Self.lines(inflater, "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d") == common)
        #expect(
            try Self.lines(inflater, "8286 84be 5808 6e6f 2d63 6163 6865") == common + ["cache-control: no-cache"]
        )
        #expect(
            try Self.lines(inflater, "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65")
                == [
                    ":method: GET", ":scheme: https", ":path: /index.html", ":authority: www.example.com",
                    "custom-key: custom-value",
                ]
        )
    }

    /// RFC 7541 §C.5 and §C.6: responses with a table of 256 bytes, out of which old entries fall; first without Huffman coding.
    @Test(arguments: [
        [
            """
            4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120
            474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d
            """, "4803 3330 37c1 c0bf",
            """
            88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738
            666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33
            3630 303b 2076 6572 7369 6f6e 3d31
            """,
        ],
        [
            """
            4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718
            63c7 8f0b 97c8 e9ae 82ae 43d3
            """, "4883 640e ffc1 c0bf",
            """
            88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7
            b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07
            """,
        ],
    ])
    func readsResponses(blocks: [String]) throws {
        let inflater = try #require(HPACKInflater())
        // The table starts with the usual size here; the update says 256 (§6.3).
        #expect(try Self.lines(inflater, "3fe101").isEmpty)
        let (date, place) = ("date: Mon, 21 Oct 2013 20:13:21 GMT", "location: https://www.example.com")
        #expect(try Self.lines(inflater, blocks[0]) == [":status: 302", "cache-control: private", date, place])
        #expect(try Self.lines(inflater, blocks[1]) == [":status: 307", "cache-control: private", date, place])
        #expect(
            try Self.lines(inflater, blocks[2])
                == [
                    ":status: 200", "cache-control: private", "date: Mon, 21 Oct 2013 20:13:22 GMT", place,
                    "content-encoding: gzip",
                    "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
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
