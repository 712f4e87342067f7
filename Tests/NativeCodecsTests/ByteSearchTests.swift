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
            let isFoundEverywhere = bytes.indices.allSatisfy { place in
                bytes[place] = 0x0A
                // The simple way, from where steps begin and end.
                let starts = [0, 1, place / 2, place - 17, place - 16, place - 15, place - 1, place, place + 1]
                defer { bytes[place] = 0x8A }
                return starts.filter { $0 >= 0 }.allSatisfy { start in
                    find(in: bytes, from: start) == bytes.indices.first { $0 >= start && bytes[$0] == 0x0A }
                }
            }
            #expect(isFoundEverywhere, "of \(count)")
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
