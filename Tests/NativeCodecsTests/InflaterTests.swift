import AuthScanNativeCodecs
import TestSupport
import Testing

/// Decompresses an input in blocks; returns what came out before the end or the damage.
private func inflate(_ input: [UInt8], blockSize: Int = .max, outputSize: Int = 1 << 18) -> (
    output: [UInt8], failure: Inflater.Failure?, isWhole: Bool
) {
    var output: [UInt8] = []
    do {
        let inflater = try Inflater(outputSize: outputSize)
        var position = 0
        while position < input.count {
            let end = position + min(blockSize, input.count - position)
            try inflater.decompress(Array(input[position..<end])) { output += $0 }
            position = end
        }
        return (output, nil, inflater.isAtEnd)
    } catch {
        return (output, error as? Inflater.Failure, false)
    }
}

@Suite struct InflaterTests {
    /// "hello hello hello hello", as `gzip -9` writes it.
    private let hello: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48,
        0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x27, 0x01, 0xE3, 0x51, 0x3D, 0x8D,
        0x17, 0x00, 0x00, 0x00,
    ]
    private let text = Array("hello hello hello hello".utf8)

    @Test(arguments: [1, 2, 7, .max])
    func dataComeOutWhateverTheBlocks(blockSize: Int) {
        let result = inflate(hello, blockSize: blockSize, outputSize: 5)
        #expect(result.output == text && result.failure == nil && result.isWhole)
    }

    @Test func membersFollowOneAnother() {
        let result = inflate(hello + storedGzip([1, 2, 3]) + storedGzip([]) + hello)
        #expect(result.output == text + [1, 2, 3] + text && result.isWhole)
    }

    @Test(arguments: [1, 13, .max])
    func zerosBehindTheLastMemberAreNoDamage(blockSize: Int) {
        let result = inflate(hello + [UInt8](repeating: 0, count: 600), blockSize: blockSize)
        #expect(result.output == text && result.failure == nil && result.isWhole)
    }

    @Test func everyPrefixIsIncomplete() {
        for count in 1..<hello.count {
            let result = inflate(Array(hello[..<count]))
            #expect(!result.isWhole && result.failure == nil && text.starts(with: result.output))
        }
    }

    @Test func aWrongCheckSumIsDamageBehindTheData() {
        let result = inflate(storedGzip([1, 2, 3], checkSumError: 1))
        #expect(result.output == [1, 2, 3])
        #expect(result.failure == .damaged("incorrect data check"))
    }

    @Test func whatIsNoGzipIsDamaged() {
        #expect(inflate(Array("no gzip at all".utf8)).failure == .damaged("incorrect header check"))
        #expect(inflate(hello + Array("rubbish".utf8)).output == text)
        #expect(inflate(hello + Array("rubbish".utf8)).failure != nil)
    }
}
