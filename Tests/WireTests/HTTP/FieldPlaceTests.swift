import Testing

@testable import AuthScanWire

@Suite struct FieldPlaceTests {
    @Test("a place tells its buffer, the names that may occur there, and the number of the host")
    func tellsWhatItKnows() {
        var names = FieldPlace.NameSet()
        names.insert(.host)
        let place = FieldPlace(buffer: 1, range: 2..<3, names: names, host: 7)
        #expect(place.range == 2..<3 && place.storage { [UInt8($0)] } == [1])
        #expect(place.mayContain(.host) && !place.mayContain(.via) && place.hostNumber == 7)
    }

    @Test("a place of nothing asks for no buffer")
    func asksForNothing() {
        let place = FieldPlace()
        #expect(place.storage { _ in [1] }.isEmpty && place.range.isEmpty)
        #expect(!place.mayContain(.host) && place.hostNumber == nil)
        place.prefetch(in: [])
    }
}
