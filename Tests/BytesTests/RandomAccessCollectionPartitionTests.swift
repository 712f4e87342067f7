import AuthScanBytes
import Testing

@Suite struct RandomAccessCollectionPartitionTests {
    @Test("the first place from which on a condition holds is found in any length", arguments: 0...9)
    func findsTheFirst(count: Int) {
        for border in 0...count {
            #expect((0..<count).firstIndexInOrder { $0 >= border } == border)
        }
    }
}
