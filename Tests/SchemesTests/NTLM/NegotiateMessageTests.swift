import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct NegotiateMessageTests {
    private func decode(_ digits: String) throws -> NegotiateMessage {
        try #require(try NTLMMessage(decoding: hex("4e544c4d5353500001000000" + digits)[...]).negotiate)
    }

    @Test func shortFormsHaveNoNames() throws {
        let sixteen = try decode("07820800")
        #expect(sixteen.domain == nil && sixteen.version == nil && sixteen.problems.isEmpty)
        let thirtyTwo = try decode("06820800" + "0000000000000000" + "0000000000000000")
        #expect(thirtyTwo.domain == "" && thirtyTwo.workstation == "" && thirtyTwo.version == nil)
        #expect(thirtyTwo.problems.isEmpty && thirtyTwo.remarks.isEmpty)
    }

    @Test func readsOEMNames() throws {
        let message = try decode("07b20000" + "0300030020000000" + "0200020023000000" + "44c34d" + "5043")
        #expect(message.domain == "D\u{C3}M" && message.workstation == "PC")
        #expect(message.domainName?.encoding == .oem && message.problems.isEmpty)
    }

    @Test("Heimdal's UTF-16 names are read and named as a fault")
    func readsUTF16Names() throws {
        let message = try decode("07100000" + "0400040020000000" + "0000000000000000" + "44004d00")
        #expect(message.domain == "DM")
        #expect(message.problems.map(\.field) == ["DomainName"])
        #expect(message.domainName?.contradictsFlags == true)
    }

    @Test("Apple's version block is no fault")
    func readsAppleVersion() throws {
        let message = try decode("05028862" + "0000000000000000" + "0000000000000000" + "0601b01d0f000000")
        #expect(message.version?.build == 7600 && message.version?.isAppleFingerprint == true)
        #expect(message.problems.isEmpty && message.remarks.isEmpty)
    }

    @Test("the offset of an empty field does not matter, but is remarked outside the message")
    func emptyFieldOutsideTheMessage() throws {
        let message = try decode("07020000" + "00000000ffffffff" + "0000000028000000")
        #expect(message.domain == "" && message.problems.isEmpty)
        #expect(message.remarks.map(\.offset) == [16, 24])
    }

    @Test func flagWithoutNameIsAFaultAndNameWithoutFlagIsNot() throws {
        let empty = try decode("07120000" + "0000000000000000" + "0000000000000000")
        #expect(empty.problems.map(\.field) == ["DomainName"] && empty.problems.map(\.offset) == [16])
        let unannounced = try decode("07020000" + "0100010020000000" + "0000000000000000" + "44")
        #expect(unannounced.problems.isEmpty && unannounced.remarks.map(\.field) == ["DomainName"])
    }
}
