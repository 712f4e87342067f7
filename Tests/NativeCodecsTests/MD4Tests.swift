import Testing

@testable import AuthScanNativeCodecs

@Suite struct MD4Tests {
    @Test(
        "RFC 1320 §A.5",
        arguments: [
            ("", "31d6cfe0d16ae931b73c59d7e0c089c0"), ("a", "bde52cb31de33e46245e05fbdbd6fb24"),
            ("abc", "a448017aaf21d8525fc10ae87aa6729d"), ("message digest", "d9130a8164549fe818874806e1c7014b"),
            ("abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9"),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "e33b4ddc9c38f2199c3e7b164fcc0536"
            ),
        ]
    )
    func hashes(text: String, digits: String) { #expect(MD4.digest(of: Array(text.utf8)) == bytes(digits)) }

    @Test("every length around a block's end is padded to whole blocks")
    func padsAllLengths() {
        let hashes = (0..<130).map { MD4.digest(of: [UInt8](repeating: 7, count: $0)) }
        #expect(Set(hashes).count == 130 && hashes.allSatisfy { $0.count == 16 })
    }
}

/// Bytes written as hexadecimal digits.
func bytes(_ digits: String) -> [UInt8] {
    let letters = Array(digits.utf8).filter { $0 > 0x20 }
    return stride(from: 0, to: letters.count, by: 2).compactMap {
        UInt8(String(decoding: letters[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
}
