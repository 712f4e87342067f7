import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct ChallengeMessageTests {
    @Test("MS-NLMP 4.2.4.3")
    func readsWorkedExample() throws {
        let message = try #require(try NTLMMessage(decoding: hex(NLMPExamples.challengeV2)[...]).challenge)
        #expect(message.targetName == "Server")
        #expect(message.flags.rawValue == 0xE28A_8233)
        #expect(message.serverChallenge == [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF])
        #expect(message.reserved == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(message.targetInfo.map(\.id) == [.nbDomainName, .nbComputerName])
        #expect(message.targetInfo.text(of: .nbDomainName) == "Domain")
        #expect(message.version?.build == 6000)
        #expect(message.timestampTicks == nil && message.hasTargetInfo)
    }

    @Test("forms of 32, 40 and 48 bytes", arguments: [32, 40, 48])
    func readsShortForms(count: Int) throws {
        let head = "4e544c4d53535000" + "02000000" + "0000000000000000" + "01820000" + "0102030405060708"
        let bytes = try hex(head) + [UInt8](repeating: 0, count: count - 32)
        let message = try #require(try NTLMMessage(decoding: bytes[...]).challenge)
        #expect(message.problems.isEmpty && message.remarks.isEmpty)
        #expect((message.reserved == nil) == (count == 32))
        #expect(message.fields.count == (count == 48 ? 2 : 1))
        #expect(message.version == nil && message.targetName == "")
    }

    @Test func promisedTargetInfoMustBeThere() throws {
        var bytes = try hex(NLMPExamples.challengeV1)
        bytes[22] |= 0x80
        let message = try NTLMMessage(decoding: bytes[...])
        #expect(message.problems.map(\.field) == ["TargetInfo"])
    }

    @Test func fieldsMayNotOverlap() throws {
        var bytes = try hex(NLMPExamples.challengeV2)
        bytes[44] = 0x40
        #expect(try NTLMMessage(decoding: bytes[...]).problems.contains { $0.description.contains("overlaps") })
        bytes[44] = 0x20
        #expect(try NTLMMessage(decoding: bytes[...]).problems.contains { $0.description.contains("fixed part") })
    }
}
