import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct AuthenticateMessageTests {
    private func decode(_ bytes: [UInt8]) throws -> AuthenticateMessage {
        try #require(try NTLMMessage(decoding: bytes[...]).authenticate)
    }

    @Test("MS-NLMP 4.2.4.3")
    func readsNTLMv2() throws {
        let message = try decode(hex(NLMPExamples.authenticateV2))
        #expect(message.response == .ntlmV2)
        #expect([message.domain, message.user, message.workstation] == ["Domain", "User", "COMPUTER"])
        #expect(message.flags?.rawValue == 0xE288_8235)
        let response = try #require(message.ntlmV2)
        #expect(Hex.encode(response.ntProofStr.revealed) == "68cd0ab851e51c96aabc927bebef6a1c")
        #expect(response.challengeFromClient == [UInt8](repeating: 0xAA, count: 8) && response.timestampTicks == 0)
        #expect(response.avPairs.text(of: .nbComputerName) == "Server" && response.trailing == [0, 0, 0, 0])
        #expect(message.lmV2?.challengeFromClient == [UInt8](repeating: 0xAA, count: 8))
        #expect(Hex.encode(message.encryptedRandomSessionKey?.revealed ?? []) == "c5dad2544fc9799094ce1ce90bc9d03e")
        #expect(message.mic == .absent && message.channelBindings == .absent)
    }

    @Test("MS-NLMP 4.2.2.3 and 4.2.3.3")
    func tellsNTLMv1FromSessionSecurity() throws {
        let first = try decode(hex(NLMPExamples.authenticateV1))
        #expect(first.response == .ntlmV1 && first.ntlmV2 == nil && first.lmV2 == nil)
        let second = try decode(hex(NLMPExamples.authenticateSession))
        #expect(second.response == .ntlm2Session && second.encryptedRandomSessionKey?.revealed == [])
        let recorded = try decode(RecordedToken.bytes(RecordedToken.sessionSecurity))
        #expect(recorded.response == .ntlm2Session && recorded.mic == .zero && recorded.user == "alice")
    }

    @Test("Heimdal and Windows send zeros for an LM response beside NTLMv2")
    func zeroLMResponseIsNoLMv2() throws {
        var bytes = try hex(NLMPExamples.authenticateV2)
        bytes.replaceSubrange(0x6C..<0x84, with: [UInt8](repeating: 0, count: 24))
        let message = try decode(bytes)
        #expect(message.response == .ntlmV2 && message.isLMResponseZero && message.lmV2 == nil)
    }

    @Test("forms of 52 and 64 bytes", arguments: [52, 64])
    func readsShortForms(count: Int) throws {
        let fixed = try hex("4e544c4d53535000" + "03000000") + [UInt8](repeating: 0, count: count - 12)
        var bytes = fixed + Array("bob".utf8)
        bytes.replaceSubrange(36..<44, with: [3, 0, 3, 0, UInt8(count), 0, 0, 0])
        let message = try decode(bytes)
        #expect(message.user == "bob" && message.domain == "" && message.response == .none)
        #expect((message.flags == nil) == (count == 52))
        #expect(message.problems.isEmpty && message.remarks.isEmpty && message.mic == .absent)
    }

    /// A message whose fields are all empty, with room for version and message integrity code.
    private func emptyMessage(flags: UInt32, user: String = "") throws -> [UInt8] {
        var bytes = try hex("4e544c4d53535000" + "03000000") + [UInt8](repeating: 0, count: 76)
        for (index, byte) in [flags, flags >> 8, flags >> 16, flags >> 24].enumerated() {
            bytes[60 + index] = UInt8(truncatingIfNeeded: byte)
        }
        bytes.replaceSubrange(36..<44, with: [UInt8(user.utf8.count), 0, UInt8(user.utf8.count), 0, 88, 0, 0, 0])
        return bytes + Array(user.utf8)
    }

    @Test func tellsAnonymousFromLocalCallAndFromNoProof() throws {
        let anonymous = try decode(emptyMessage(flags: 0x0000_0A02))
        #expect(anonymous.isAnonymous && !anonymous.isLocalCall && anonymous.mic == .zero)
        let local = try decode(emptyMessage(flags: 0xE288_C215))
        #expect(local.isLocalCall && local.response == .none)
        #expect(try decode(emptyMessage(flags: 0x0000_0202, user: "eve")).response == .none)
    }

    @Test("wget's UNICODE flag over OEM strings is a fault, and the names are read")
    func namesAgainstTheFlags() throws {
        let oem = try decode(emptyMessage(flags: 0x0000_0201, user: "alice"))
        #expect(oem.user == "alice" && oem.userName?.encoding == .oem)
        #expect(oem.problems.map(\.field) == ["UserName"])
        let unicode = try decode(emptyMessage(flags: 0x0000_0202, user: "a\0b\0"))
        #expect(unicode.user == "ab" && unicode.userName?.encoding == .utf16LittleEndian)
        #expect(unicode.problems.map(\.field) == ["UserName"])
    }

    @Test("U+4E2D U+4E2D looks like ASCII, but stands beside a name that does not")
    func chineseNameIsNoOEM() throws {
        var bytes = try emptyMessage(flags: 0x0000_0201, user: "-N-N")
        bytes.replaceSubrange(28..<36, with: [4, 0, 4, 0, 92, 0, 0, 0])
        bytes += [0x44, 0, 0x4D, 0]
        let message = try decode(bytes)
        #expect(message.user == "\u{4E2D}\u{4E2D}" && message.domain == "DM" && message.problems.isEmpty)
    }

    @Test func loneSurrogatesAreReplacedAndNoted() throws {
        var bytes = try emptyMessage(flags: 0x0000_0201, user: "abcd")
        bytes.replaceSubrange(88..<92, with: [0x00, 0xD8, 0x41, 0x00])
        let message = try decode(bytes)
        #expect(message.user == "\u{FFFD}A")
        #expect(message.problems.map(\.description) == ["UserName at offset 88: holds a lone surrogate"])
    }

    @Test("curl's version flag without a version is only remarked")
    func versionFlagWithoutBlock() throws {
        var bytes = try hex("4e544c4d53535000" + "03000000") + [UInt8](repeating: 0, count: 52)
        bytes.replaceSubrange(60..<64, with: [0x06, 0x82, 0x89, 0x02])
        bytes.replaceSubrange(36..<44, with: [3, 0, 3, 0, 64, 0, 0, 0])
        let message = try decode(bytes + Array("bob".utf8))
        #expect(message.version == nil && message.problems.isEmpty)
        #expect(message.remarks.map(\.field) == ["Version"])
    }

    @Test func announcedIntegrityCodeMustBeThere() throws {
        var bytes = try hex(NLMPExamples.authenticateV2)
        // MsvAvNbComputerName becomes MsvAvFlags with bit 2, and the rest of its bytes an unknown attribute.
        let pair = 0x84 + 44 + 16
        bytes.replaceSubrange(pair..<(pair + 16), with: [6, 0, 4, 0, 2, 0, 0, 0, 0x40, 0, 4, 0, 0, 0, 0, 0])
        let message = try decode(bytes)
        #expect(message.avPairs.avFlags == .messageIntegrityCodePresent)
        #expect(message.problems.map(\.field) == ["MIC"])
    }

    @Test func brokenClientChallengeIsNotedPieceByPiece() throws {
        var bytes = try hex(NLMPExamples.authenticateV2)
        bytes[0x84 + 16] = 2
        bytes[0x84 + 44] = 0
        bytes[0x84 + 46] = 0
        let message = try decode(bytes)
        #expect(message.response == .ntlmV2 && message.avPairs.isEmpty)
        #expect(message.problems.map(\.field) == ["RespType", "AvPairs"])
    }

    @Test("without a readable LM response the NT response decides, and without both nothing does")
    func cutLMResponse() throws {
        var bytes = try hex(NLMPExamples.authenticateV2)
        bytes[0x11] = 0xFF
        #expect(try decode(bytes).response == .ntlmV2)
        bytes.replaceSubrange(0x14..<0x16, with: [0, 0])
        let message = try decode(bytes)
        #expect(message.response == .unknown && message.problems.allSatisfy { $0.offset <= bytes.count })
        #expect(!message.problems.map(\.field).contains("NtChallengeResponse"))
    }

    @Test func fieldOutsideTheMessageIsMissingNotEmpty() throws {
        var bytes = try hex(NLMPExamples.authenticateV2)
        bytes[0x29] = 0xFF
        let message = try decode(bytes)
        #expect(message.user == nil && message.domain == "Domain")
        #expect(message.problems.map(\.field).contains("UserName.BufferOffset"))
    }
}
