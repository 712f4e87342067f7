import AuthScanBytes
import Testing

@testable import AuthScanWire

@Suite struct FieldArenaTests {
    /// Adds a message with a Host, and hands out the number of that.
    private func number(ofHost host: String, in arena: inout FieldArena) -> Int? {
        arena.beginMessage()
        let place = withBytes(of: Array(host.utf8)) { arena.append(.host, $0) }
        arena.noteHost(place)
        return arena.endMessage(isNamedByHost: true).hostNumber
    }

    @Test(
        "a host has its number whenever it comes again, also in another buffer",
        arguments: ["a.example", "longer-name.example"]
    )
    func numbersHosts(host: String) throws {
        var arena = FieldArena()
        let first = try #require(number(ofHost: host, in: &arena))
        let other = try #require(number(ofHost: "other." + host, in: &arena))
        #expect(first != other)
        for _ in 0..<20_000 {
            #expect(number(ofHost: host, in: &arena) == first)
            #expect(number(ofHost: "other." + host, in: &arena) == other)
        }
        #expect(arena.hostCount == 2)
        #expect(arena.takeBuffers().count > 1)
    }

    @Test("what takes the place of a message that was discarded is another host")
    func forgetsDiscardedHosts() throws {
        var arena = FieldArena()
        let discarded = try #require(number(ofHost: "discarded.host.example", in: &arena))
        arena.discardMessage()
        #expect(try #require(number(ofHost: "following.host.example", in: &arena)) != discarded)
    }

    @Test("buffers that lie ready are filled like its own, and no more are wanted than are of use")
    func usesWhatLiesReady() {
        var (plain, supplied) = (FieldArena(), FieldArena())
        let wanted = supplied.wantedBuffers
        #expect(wanted > 0)
        supplied.supply((0..<wanted).map { _ in FieldArena.emptyBuffer() })
        #expect(supplied.wantedBuffers == 0)
        for index in 0..<10_000 {
            _ = number(ofHost: "h\(index).example", in: &plain)
            _ = number(ofHost: "h\(index).example", in: &supplied)
        }
        #expect(supplied.wantedBuffers == wanted)
        #expect(supplied.takeBuffers() == plain.takeBuffers())
    }
}
