import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct PacketPlacesTests {
    @Test("any order of the packets of any files is told back", arguments: 0..<50 as Range<UInt64>)
    func tellsEveryPlace(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var places = PacketPlaces(limit: 1000)
        places.paths = ["a", "b", "c"]
        var packets = [0, 0, 0]
        var expected: [PacketPlaces.Place] = []
        for number in 1...200 {
            let file = Int.random(in: 0..<3, using: &random)
            // Packets that a file's reader counts and does not hand on leave a hole.
            packets[file] += Bool.random(using: &random) ? 1 : .random(in: 1...2, using: &random)
            places.note(number, file: file, packet: packets[file])
            expected.append(PacketPlaces.Place(file: places.paths[file], packet: packets[file]))
        }
        #expect((1...200).map { places.place(of: $0) } == expected)
        #expect(places.place(of: 0) == nil && places.place(of: 201) == nil)
    }

    @Test("what lies behind the limit has no place, and is counted")
    func keepsToItsLimit() {
        var places = PacketPlaces(limit: 2)
        places.paths = ["a", "b"]
        for number in 1...10 { places.note(number, file: number % 2, packet: number) }
        #expect(places.packetsLeftOut == 8)
        #expect(places.place(of: 2)?.packet == 2 && places.place(of: 3) == nil)
    }

    @Test("merged files say where each packet lies")
    func isKeptByTheMerger() throws {
        var conversation = TestConversation()
        conversation.client("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        let frames = conversation.segments.map(\.ethernet)
        let (capture, _, _) = mergeCaptures([pcap(frames), pcap(Array(frames.prefix(2)))])
        // Both files begin in the same millisecond.
        #expect(capture.packets == 6)
        let places = try (1...6).map { try #require(capture.places.place(of: $0)) }
        #expect(Set(places).count == 6)
        #expect(places.filter { $0.file == "file1.pcap" }.map(\.packet) == [1, 2])
        #expect(places.filter { $0.file == "file0.pcap" }.map(\.packet) == [1, 2, 3, 4])
        #expect(try analyze([pcap(frames)]).places.isEmpty)
    }
}
