import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct PACOptionsTests {
    /// MS-KILE 2.2.10, as Windows sends it to a domain controller of a branch.
    private static let branchAware = "3009a00703050040000000"

    @Test("MS-KILE 2.2.10: bits are named in their order, unknown ones by their number")
    func decodes() throws {
        let options = try PACOptions(decoding: try hex(Self.branchAware)[...])
        #expect(options.rawValue == 0x4000_0000 && options.names == ["Branch-Aware"])
        let names = PACOptions(rawValue: 0xB000_0001).names
        #expect(names == ["Claims", "Forward-to-Full-DC", "Resource-based-constrained-delegation", "bit 31"])
    }

    @Test("no proper prefix is a set of options")
    func refusesPrefixes() throws {
        let bytes = try hex(Self.branchAware)
        for count in 0..<bytes.count {
            #expect(throws: DecodeError.self) { try PACOptions(decoding: bytes.prefix(count)) }
        }
    }
}
