import AuthScanNativeCodecs
import Testing

@Suite struct ByteSearchTests {
    private func find(in bytes: [UInt8], from start: Int) -> Int? {
        unsafe bytes.span.bytes.firstIndex(of: 0x0A, from: start)
    }

    @Test("a byte is found wherever it lies, in spans of any length and from wherever the search starts")
    func findsEverywhere() {
        for count in 0...200 {
            var bytes = [UInt8](repeating: 0x0B, count: count)
            #expect((0...(count + 20)).allSatisfy { find(in: bytes, from: $0) == nil })
            for place in bytes.indices {
                bytes[place] = 0x0A
                let starts = [0, 1, place / 2, place - 17, place - 16, place - 15, place - 1, place].filter {
                    (0...place).contains($0)
                }
                #expect(starts.allSatisfy { find(in: bytes, from: $0) == place }, "\(place) of \(count)")
                #expect(find(in: bytes, from: place + 1) == nil)
                bytes[place] = 0x8A
            }
        }
    }

    @Test("of several the next one is found, and what lies outside the span is not")
    func findsTheNext() {
        for place in 1..<80 {
            var bytes = [UInt8](repeating: 0, count: 100)
            for index in [place - 1, place, place + 3, 90] { bytes[index] = 0x0A }
            #expect(find(in: bytes, from: place) == place && find(in: bytes, from: place + 1) == place + 3)
            let inner = unsafe bytes.span.bytes.extracting((place + 4)..<90)
            #expect(inner.firstIndex(of: 0x0A, from: 0) == nil)
        }
    }
}
