import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanSchemes

@Suite struct NTLMMessageTests {
    @Test("the worked examples decode clean", arguments: NLMPExamples.all)
    func decodesClean(example: String) throws {
        let message = try NTLMMessage(decoding: hex(example)[...])
        #expect(message.problems.isEmpty)
        #expect(message.remarks.isEmpty)
        #expect(message.version?.revision == 15)
    }

    @Test("no proper prefix of an example passes for a whole message", arguments: NLMPExamples.all)
    func refusesEveryPrefix(example: String) throws {
        let bytes = try hex(example)
        for count in 0..<bytes.count {
            guard let message = try? NTLMMessage(decoding: bytes[..<count]) else { continue }
            #expect(!message.problems.isEmpty, "\(count) bytes")
        }
    }

    @Test("one byte too many is remarked", arguments: NLMPExamples.all)
    func remarksTrailingByte(example: String) throws {
        let bytes = try hex(example)
        let message = try NTLMMessage(decoding: (bytes + [0])[...])
        #expect(message.remarks == [DecodeError(.trailingBytes(count: 1), "Payload", offset: bytes.count)])
    }

    @Test func aSliceDecodesAsItsBytesDo() throws {
        let bytes = try hex(NLMPExamples.authenticateV2)
        let shifted = [0xFF, 0xFF, 0xFF] + bytes
        #expect(try NTLMMessage(decoding: shifted[3...]) == NTLMMessage(decoding: bytes[...]))
    }

    @Test func refusesOtherSignaturesAndTypes() throws {
        var bytes = try hex(NLMPExamples.challengeV1)
        bytes[8] = 4
        #expect(throws: DecodeError(.invalidValue("4 is no NTLM message type"), "MessageType", offset: 8)) {
            try NTLMMessage(decoding: bytes[...])
        }
        bytes[0] = 0
        #expect(throws: DecodeError(.invalidValue("not NTLMSSP"), "Signature", offset: 0)) {
            try NTLMMessage(decoding: bytes[...])
        }
    }

    @Test("no change of an example's bytes traps", arguments: 0..<400 as Range<UInt64>)
    func survivesMutation(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = try hex(NLMPExamples.all[Int(seed) % NLMPExamples.all.count])
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            bytes[Int.random(in: 8..<bytes.count, using: &random)] =
                [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
                .randomElement(using: &random) ?? 0
        }
        bytes.removeLast(Int.random(in: 0...8, using: &random))
        if let message = try? NTLMMessage(decoding: bytes[...]) {
            #expect(message.problems.count <= 64)
        }
    }
}
