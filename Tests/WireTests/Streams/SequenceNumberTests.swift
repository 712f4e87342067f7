import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct SequenceNumberTests {
    @Test("distance and advance agree across the wrap-around", arguments: 0..<50 as Range<UInt64>)
    func wrapsAround(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let start = SequenceNumber(UInt32.random(in: .max - 100 ... .max, using: &random))
        let step = Int.random(in: -1_000_000...1_000_000, using: &random)
        #expect(start.advanced(by: step).distance(from: start) == step)
        #expect(start.distance(from: start.advanced(by: step)) == -step)
    }

    @Test func distancesAreModular() {
        #expect(SequenceNumber(2).distance(from: SequenceNumber(.max)) == 3)
        #expect(SequenceNumber(.max).distance(from: SequenceNumber(2)) == -3)
        #expect(SequenceNumber(.max).advanced(by: 3) == SequenceNumber(2))
    }
}
