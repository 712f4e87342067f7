import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct AVPairTests {
    private func decode(_ digits: String) throws -> AVPairList { AVPairList(decoding: try hex(digits)[...], at: 100) }

    @Test func readsEveryAttributeByItsType() throws {
        let list = try decode(
            "0100020041 00" + "0900020042 00" + "0600040005000000" + "070008000100000000000000"
                + "08003000" + "30000000" + "00000000" + "0102030405060708" + String(repeating: "ee", count: 32)
                + "0a001000" + String(repeating: "00", count: 16) + "2a000100ff" + "00000000"
        )
        #expect(list.problems.isEmpty && list.hasEnd && list.trailing.isEmpty)
        #expect(list.pairs.text(of: .nbComputerName) == "A" && list.pairs.text(of: .targetName) == "B")
        #expect(list.pairs.avFlags == [.constrainedAuthentication, .untrustedTargetName])
        #expect(list.pairs.timestampTicks == 1 && list.pairs.channelBindings == .zero)
        guard case .singleHost(let host) = list.pairs[.singleHost]?.value else { throw DecodeErrorExpected() }
        #expect(host.size == 48 && host.machineID.count == 32 && host.customData[0] == 1)
        #expect(list.pairs.last?.id.name == "unknown (0x002a)" && list.pairs.last?.value == .bytes([0xFF]))
    }

    private struct DecodeErrorExpected: Error {}

    @Test(
        "each fault, with its offset in the message",
        arguments: [
            ("0100020041 00", "AvPairs", 106), ("01000900 41", "MsvAvNbComputerName", 104), ("0100", "AvLen", 102),
            ("0600020000 00 00000000", "MsvAvFlags", 100), ("0100010041 00000000", "MsvAvNbComputerName", 100),
            ("0200000002000000 00000000", "MsvAvNbDomainName", 104), ("00000100ff", "MsvAvEOL", 100),
        ]
    )
    func notesFaults(digits: String, field: String, offset: Int) throws {
        let list = try decode(digits)
        #expect(list.problems.map(\.field) == [field] && list.problems.map(\.offset) == [offset])
    }

    @Test func stopsAtTheLimit() throws {
        let list = try decode((0..<300).map { "\(Hex.encode(UInt8($0 & 0xFF)))\($0 < 256 ? "40" : "41")0000" }.joined())
        #expect(list.pairs.count == AVPairList.limit)
        #expect(list.problems.last?.problem == .limitExceeded(limit: AVPairList.limit))
    }
}
