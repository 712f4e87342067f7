import AuthScanNativeCodecs
import Testing

@Suite struct PrefetchTests {
    @Test("what is not there may be asked for", arguments: [-70, -1, 0, 99, 100, 1_000_000])
    func asksForAnything(offset: Int) {
        let bytes = [UInt8](0..<100)
        bytes.prefetch(offset)
        bytes.prefetch(offset, byteCount: CacheLine.bytes)
        unsafe bytes.span.bytes.prefetch(offset..<(offset + 500))
        [String]().prefetch(offset)
        #expect(bytes == [UInt8](0..<100))
    }

    private final class Object {}

    @Test("what elements refer to may be asked for, and is not touched", arguments: [-3..<2, 0..<0, 0..<5, 4..<90])
    func asksForObjects(range: Range<Int>) {
        let objects = [Object(), Object(), Object(), Object(), Object()]
        objects.prefetchObjects(range, byteCount: 200)
        let pairs = objects.map { (object: $0, number: 1) }
        pairs.prefetchObjects(range, byteCount: 1)
        #expect(zip(objects, pairs).allSatisfy { $0 === $1.object })
    }
}
