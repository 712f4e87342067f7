import Testing

@testable import AuthScanSchemes

@Suite struct HostAddressTests {
    @Test(
        "RFC 4120 §7.5.3, MS-KILE: addresses as a person reads them",
        arguments: [
            ("300d a003020102 a106 0404 c0000201", "IPv4", "192.0.2.1"),
            ("3019 a003020114 a112 0410 57303120202020202020202020202020", "NetBios", "W01"),
            ("300d a003020163 a106 0404 01020304", "unknown (99)", "01020304"),
        ]
    )
    func reads(digits: String, type: String, text: String) throws {
        var reader = try DERReader(try hex(digits)[...])
        let address = try HostAddress(decoding: try reader.readNode(as: "addresses"))
        #expect(address.typeName == type && address.text == text)
    }
}
