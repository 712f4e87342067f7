import AuthScanNativeCodecs
import TestSupport
import Testing

/// "hello hello hello hello", as `gzip -9`, `zstd` and `lz4` write it.
private let samples: [CompressionFormat: [UInt8]] = [
    .gzip: [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40,
        0x27, 0x01, 0xE3, 0x51, 0x3D, 0x8D, 0x17, 0x00, 0x00, 0x00,
    ],
    .zstd: [
        0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x17, 0x65, 0x00, 0x00, 0x30, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x20, 0x01, 0x00,
        0x99, 0x4B, 0x11, 0x17, 0x5E, 0xAE, 0x0D,
    ],
    .lz4: [
        0x04, 0x22, 0x4D, 0x18, 0x64, 0x40, 0xA7, 0x0F, 0x00, 0x00, 0x00, 0x68, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x20,
        0x06,
        0x00, 0x50, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x00, 0x00, 0x00, 0x00, 0xF2, 0x6B, 0x94, 0x0B,
    ],
]
private let text = Array("hello hello hello hello".utf8)

/// Decompresses an input in blocks; returns what came out before the end or the damage.
private func decompress(
    _ format: CompressionFormat,
    _ input: [UInt8],
    blockSize: Int = .max,
    outputSize: Int = 1 << 18
) -> (output: [UInt8], failure: DecompressionFailure?, isWhole: Bool) {
    var output: [UInt8] = []
    do {
        let decompressor = try format.decompressor(outputSize: outputSize)
        var position = 0
        while position < input.count {
            let end = position + min(blockSize, input.count - position)
            try decompressor.decompress(Array(input[position..<end])) { output += $0 }
            position = end
        }
        return (output, nil, decompressor.isAtEnd)
    } catch {
        return (output, error as? DecompressionFailure, false)
    }
}

@Suite struct DecompressorTests {
    @Test(arguments: CompressionFormat.allCases) func theFormIsRecognised(format: CompressionFormat) throws {
        let sample = try #require(samples[format])
        #expect(CompressionFormat(start: sample) == format)
        #expect(CompressionFormat(start: Array(sample.prefix(1))) == nil)
        #expect(CompressionFormat(start: Array(sample.dropFirst())) == nil)
    }

    @Test(arguments: CompressionFormat.allCases, [1, 2, 7, .max])
    func dataComeOutWhateverTheBlocks(format: CompressionFormat, blockSize: Int) throws {
        let sample = try #require(samples[format])
        for outputSize in [1, 5, 23, 1 << 18] {
            let result = decompress(format, sample, blockSize: blockSize, outputSize: outputSize)
            #expect(result.output == text && result.failure == nil && result.isWhole)
        }
    }

    @Test(arguments: CompressionFormat.allCases, [1, 9, .max])
    func partsFollowOneAnother(format: CompressionFormat, blockSize: Int) throws {
        let sample = try #require(samples[format])
        let result = decompress(format, sample + sample, blockSize: blockSize)
        #expect(result.output == text + text && result.isWhole)
    }

    @Test(arguments: CompressionFormat.allCases) func everyCutIsNoticed(format: CompressionFormat) throws {
        let sample = try #require(samples[format])
        for count in 1..<sample.count {
            let result = decompress(format, Array(sample.prefix(count)))
            #expect(!result.isWhole && text.starts(with: result.output), "\(count) bytes")
        }
    }

    @Test(arguments: CompressionFormat.allCases) func aWrongCheckSumIsDamage(format: CompressionFormat) throws {
        var sample = try #require(samples[format])
        sample[sample.count - (format == .gzip ? 8 : 1)] ^= 1
        guard case .damaged(let reason)? = decompress(format, sample).failure else {
            Issue.record("the damage was not noticed")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test(arguments: CompressionFormat.allCases) func damageIsNoCrash(format: CompressionFormat) throws {
        let sample = try #require(samples[format])
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            var damaged = sample
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            #expect(decompress(format, damaged, blockSize: 5).output.count < 1 << 20)
        }
    }
}
