import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanSchemes

@Suite struct DERReaderTests {
    private func read(_ digits: String) throws -> DERNode {
        var reader = try DERReader(hex(digits)[...])
        let node = try reader.readNode(as: "node")
        try reader.finish(as: "node")
        return node
    }

    @Test func readsShortLongAndPaddedLengths() throws {
        #expect(try read("0401ff").contents == [0xFF])
        #expect(try read("048101ff").contents == [0xFF])
        #expect(try read("04840000 0001ff").contents == [0xFF])
        #expect(try read("0485000000 0001ff").contents == [0xFF])
    }

    @Test(
        arguments: [
            ("", .truncated(needed: 1, available: 0), 0), ("04", .truncated(needed: 1, available: 0), 1),
            ("0402ff", .truncated(needed: 2, available: 1), 2), ("0482 01", .truncated(needed: 2, available: 1), 2),
            ("3080 0000", .invalidValue("has an indefinite length"), 1), ("0401ff00", .trailingBytes(count: 1), 3),
            ("1f8101 00", .invalidValue("has a tag of several octets"), 0),
            ("04850100000000", .limitExceeded(limit: 4_294_967_295), 2),
        ] as [(String, DecodeError.Problem, Int)]
    )
    func refuses(digits: String, problem: DecodeError.Problem, offset: Int) throws {
        #expect(throws: DecodeError(problem, "node", offset: offset)) { try read(digits) }
    }

    @Test func nestingIsFollowedToALimit() throws {
        var bytes: [UInt8] = [0x30, 0]
        for _ in 0..<40 { bytes = [0x30, UInt8(bytes.count)] + bytes }
        var reader = try DERReader(bytes[...])
        var depth = 0
        let error = #expect(throws: DecodeError.self) {
            while true {
                reader = try reader.readNode(as: "node").reader(as: "node")
                depth += 1
            }
        }
        #expect(depth == DERReader.depthLimit)
        #expect(error?.problem == .limitExceeded(limit: DERReader.depthLimit))
    }

    @Test(arguments: [("020105", 5), ("0201ff", -1), ("02020080", 128), ("0a0102", 2), ("0208ffffffffffffff7f", -129)])
    func readsIntegers(digits: String, value: Int) throws { #expect(try read(digits).integer(as: "n") == value) }

    @Test(arguments: ["0200", "0209000000000000000001", "0401ff"])
    func refusesOtherIntegers(digits: String) throws {
        let node = try read(digits)
        #expect(throws: DecodeError.self) { try node.integer(as: "n") }
    }

    @Test func readsBits() throws {
        #expect(try read("03050020000000").bits(as: "b") == 0x2000_0000)
        #expect(try read("03020640").bits(as: "b") == 0x4000_0000)
        #expect(try read("030100").bits(as: "b") == 0)
    }

    @Test(
        arguments: [
            ("06062b0601050502", "1.3.6.1.5.5.2"), ("06092a864886f712010202", "1.2.840.113554.1.2.2"),
            ("060a2b06010401823702020a", "1.3.6.1.4.1.311.2.2.10"), ("0603883703", "2.999.3"),
        ]
    )
    func readsObjectIdentifiers(digits: String, dotted: String) throws {
        #expect(try read(digits).objectIdentifier(as: "oid").rawValue == dotted)
    }

    @Test(arguments: ["0600", "060188", "0606ffffffffff7f"])
    func refusesMalformedObjectIdentifiers(digits: String) throws {
        let node = try read(digits)
        #expect(throws: DecodeError.self) { try node.objectIdentifier(as: "oid") }
    }
}
