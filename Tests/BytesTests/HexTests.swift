import Testing
@testable import AuthScanBytes

@Suite struct HexTests {
    @Test func encodesNumbersMostSignificantByteFirst() { #expect(Hex.encode(0x2A as UInt16) == "002a") }
}
