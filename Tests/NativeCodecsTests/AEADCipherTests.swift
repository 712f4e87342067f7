import AuthScanNativeCodecs
import TestSupport
import Testing

private func span<Result>(_ bytes: [UInt8], _ body: (RawSpan) -> Result) -> Result {
    // SAFETY: every byte of the array is initialised, and the span does not leave the closure.
    unsafe body(bytes.span.bytes)
}

@Suite struct AEADCipherTests {
    private static func open(
        _ algorithm: AEADCipher.Algorithm,
        key: String,
        nonce: String,
        data: String,
        sealed: [UInt8]
    ) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: sealed.count)
        let cipher = AEADCipher(algorithm, key: bytes(hex: key))
        let count = span(sealed) {
            cipher?.open($0, nonce: bytes(hex: nonce), additionalData: bytes(hex: data), into: &output)
        }
        return count.map { Array(output.prefix($0)) }
    }

    /// RFC 8439 §2.8.2.
    @Test func opensChaCha20Poly1305() {
        let sealed = bytes(
            hex:
                """
                d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b
                1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc
                3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691
                """
        )
        func text(_ sealed: [UInt8]) -> String? {
            Self.open(
                .chaCha20Poly1305,
                key: "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
                nonce: "070000004041424344454647",
                data: "50515253c0c1c2c3c4c5c6c7",
                sealed: sealed
            ).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(text(sealed)?.hasPrefix("Ladies and Gentlemen of the class of '99") == true)
        for index in [0, sealed.count - 1] {
            var changed = sealed
            changed[index] ^= 1
            #expect(text(changed) == nil)
        }
        #expect(text(Array(sealed.prefix(15))) == nil)
    }

    /// The first two test cases of "The Galois/Counter Mode of Operation (GCM)", appendix B.
    @Test func opensGCM() {
        let zeros = String(repeating: "0", count: 32)
        let nonce = String(repeating: "0", count: 24)
        #expect(
            Self.open(
                .aes128GCM,
                key: zeros,
                nonce: nonce,
                data: "",
                sealed: bytes(hex: "58e2fccefa7e3061367f1d57a4e7455a")
            ) == []
        )
        #expect(
            Self.open(
                .aes128GCM,
                key: zeros,
                nonce: nonce,
                data: "",
                sealed: bytes(hex: "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf")
            ) == [UInt8](repeating: 0, count: 16)
        )
    }

    /// RFC 8439 §2.8.2; test case 4 of "The Galois/Counter Mode of Operation (GCM)", appendix B.
    @Test("the end of a message is read without the rest")
    func readsTheEnd() {
        let chaCha = Self.end(
            .chaCha20Poly1305,
            key: "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
            nonce: "070000004041424344454647",
            // The last of two blocks, and something in the place of the first and of the tag.
            sealed: [UInt8](repeating: 7, count: 64)
                + bytes(
                    hex:
                        """
                        92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b6116
                        """
                ) + [UInt8](repeating: 7, count: 16)
        )
        #expect(chaCha?.offset == 113)
        #expect(chaCha?.byte == UInt8(ascii: "."))
        let gcm = Self.end(
            .aes128GCM,
            key: "feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            sealed: [UInt8](repeating: 7, count: 48) + bytes(hex: "1ba30b396a0aac973d58e091")
                + [UInt8](repeating: 7, count: 16)
        )
        #expect(gcm?.offset == 59)
        #expect(gcm?.byte == 0x39)
    }

    @Test("an end of zeros says nothing, nor does one that is not there, nor CCM")
    func findsNoEnd() {
        let zeros = String(repeating: "0", count: 32)
        let nonce = String(repeating: "0", count: 24)
        let sealed = bytes(hex: "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf")
        #expect(Self.end(.aes128GCM, key: zeros, nonce: nonce, sealed: sealed) == nil)
        #expect(Self.end(.aes128GCM, key: zeros, nonce: nonce, sealed: Array(sealed.prefix(16))) == nil)
        #expect(Self.end(.aes128CCM, key: zeros, nonce: nonce, sealed: sealed) == nil)
    }

    private static func end(
        _ algorithm: AEADCipher.Algorithm,
        key: String,
        nonce: String,
        sealed: [UInt8]
    ) -> (offset: Int, byte: UInt8)? {
        let cipher = AEADCipher(algorithm, key: bytes(hex: key))
        return span(sealed) { cipher?.unauthenticatedEnd(of: $0, nonce: bytes(hex: nonce)) }
    }

    @Test("a key of another length is refused")
    func refusesKeys() { #expect(AEADCipher(.aes256GCM, key: [UInt8](repeating: 0, count: 16)) == nil) }
}
