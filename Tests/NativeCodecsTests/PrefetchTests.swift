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
}
