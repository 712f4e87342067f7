import Testing

@testable import AuthScanBytes

@Suite struct HexTests {
    @Test func encodesInLowerCase() { #expect(Hex.encode([0x00, 0xAF, 0x10] as [UInt8]) == "00af10") }

    @Test func encodesNumbersMostSignificantByteFirst() { #expect(Hex.encode(0x2A as UInt16) == "002a") }

    @Test func decodesWhatItEncodes() throws {
        let bytes = (0...255).map { UInt8($0) }
        #expect(try Hex.decode(Hex.encode(bytes).utf8) == bytes)
        #expect(try Hex.decode("AFfe".utf8) == [0xAF, 0xFE])
    }

    @Test func refusesOddCountAndOtherLetters() {
        #expect(throws: DecodeError(.truncated(needed: 1, available: 0), "hex", offset: 3)) {
            try Hex.decode("abc".utf8)
        }
        #expect(throws: DecodeError(.invalidValue("no hexadecimal digit"), "hex", offset: 2)) {
            try Hex.decode("abxy".utf8)
        }
    }
}
