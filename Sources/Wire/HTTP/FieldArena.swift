/// The buffers that the field lines of a capture's messages lie in, filled one after the other.
struct FieldArena {
    /// A host's number, and where its name lies.
    private struct RecentHost {
        var place: Range<Int> = 0..<0
        var number: Int32 = -1
    }

    private var sealed: [[UInt8]] = []
    /// The buffer being filled; its bytes from `count` on are free.
    private var current: [UInt8] = []
    private var count = 0

    /// Where the message begun last starts in `current`.
    private var messageStart = 0
    /// The names of its lines.
    private var messageNames = FieldPlace.NameSet()
    /// Where the value of its first Host lies; `nil` as long as it has none.
    private var messageHost: Range<Int>?

    private var hosts = HostNumbers()
    /// The numbers of hosts that were asked for last, by where their names lie in `current`.
    private var recentHosts = [RecentHost](repeating: RecentHost(), count: recentHostCount)

    /// Buffers that are ready to be filled.
    private var spare: [[UInt8]] = []

    /// Where values lie that may come again, by a hash of theirs.
    private var recent = [UInt32](repeating: .max, count: 256)

    /// The shortest value that is worth looking for.
    private static let shortestRepeated = 16
    /// How full a buffer gets before the next message gets a new one.
    private static let bufferBytes = 1 << 16
    /// Room behind that for an ordinary head.
    private static let spareBytes = 1 << 12
    /// How many buffers it wants to lie ready: what a few blocks of a capture fill.
    private static let sparesWanted = 2
    private static let recentHostCount = 256

    /// Gets room for the next message's lines.
    mutating func beginMessage() {
        if count >= FieldArena.bufferBytes {
            sealed.append(current)
            current = spare.popLast() ?? []
            count = 0
            for slot in recent.indices { recent[slot] = .max }
            forgetHosts()
        }
        if current.isEmpty { current = FieldArena.emptyBuffer() }
        messageStart = count
        messageNames = FieldPlace.NameSet()
        messageHost = nil
    }

    /// A buffer to be filled.
    ///
    /// Memory that nobody has written to must be cleared first, which takes as long as filling it: whoever has time can do that.
    static func emptyBuffer() -> [UInt8] { [UInt8](repeating: 0, count: bufferBytes + spareBytes) }

    /// How many buffers are of use to it.
    var wantedBuffers: Int { max(0, FieldArena.sparesWanted - spare.count) }

    /// Takes buffers that are ready to be filled.
    mutating func supply(_ buffers: [[UInt8]]) { spare += buffers }

    /// Forgets the lines of the message begun last.
    mutating func discardMessage() {
        count = messageStart
        forgetHosts()
    }

    private mutating func forgetHosts() {
        for slot in recentHosts.indices { recentHosts[slot].place = 0..<0 }
    }

    /// Adds a line to the message begun last; a value too long to state is cut.
    ///
    /// Returns where the value lies.
    @inline(__always)
    @discardableResult
    mutating func append(_ name: FieldName, _ value: RawSpan) -> Range<Int> {
        messageNames.insert(name)
        let length = min(value.byteCount, FieldLines.longestValue)
        if length >= FieldArena.shortestRepeated, let place = remembered(value) {
            write(FieldLines.header(name, length, isRepeated: true), place)
            return Int(place)..<(Int(place) &+ length)
        }
        let start = count
        makeRoom(FieldLines.headerBytes &+ length)
        current.write(FieldLines.header(name, length), before: value.extracting(0..<length), at: start)
        count = start &+ FieldLines.headerBytes &+ length
        return (start &+ FieldLines.headerBytes)..<count
    }

    /// Notes where the value of the message's Host lies; the first one counts.
    mutating func noteHost(_ place: Range<Int>) { messageHost = messageHost ?? place }

    private mutating func write(_ header: UInt32, _ place: UInt32) {
        makeRoom(2 * FieldLines.headerBytes)
        current.write(UInt64(header) | UInt64(place) << 32, at: count)
        count += 2 * FieldLines.headerBytes
    }

    @inline(__always)
    private mutating func makeRoom(_ bytes: Int) {
        if count &+ bytes > current.count { grow(count &+ bytes) }
    }

    /// The lines of one message lie in one buffer, however long they are.
    private mutating func grow(_ needed: Int) {
        current.append(contentsOf: repeatElement(0, count: max(needed, 2 * current.count) - current.count))
    }

    /// Where the same value lies further up in the buffer, if that is remembered; else remembers where it will lie.
    private mutating func remembered(_ value: RawSpan) -> UInt32? {
        let mixed = (value.bigEndian64(0) ^ value.bigEndian64(value.byteCount - 8)) &* 0x9E37_79B9_7F4A_7C15
        let slot = Int(mixed >> 56)
        let place = Int(recent[slot])
        // What is remembered may have been discarded and overwritten: only what lies there now counts.
        guard place + value.byteCount <= count, current.holds(value, at: place) else {
            recent[slot] = UInt32(count + FieldLines.headerBytes)
            return nil
        }
        return UInt32(place)
    }

    /// The lines of the message begun last, which need the buffers to be read; `isNamedByHost` says whether it is a request
    /// whose target leaves it to Host to name the server.
    mutating func endMessage(isNamedByHost: Bool) -> FieldPlace {
        var host: Int32 = -1
        if isNamedByHost, let messageHost {
            host = number(ofHostAt: messageHost)
        }
        return FieldPlace(buffer: sealed.count, range: messageStart..<count, names: messageNames, host: host)
    }

    /// The number of the host that a value names: what came again lies where it did before.
    private mutating func number(ofHostAt place: Range<Int>) -> Int32 {
        let slot = place.lowerBound % FieldArena.recentHostCount
        if recentHosts[slot].place == place { return recentHosts[slot].number }
        let number = withBytes(of: current) { hosts.number(of: $0.extracting(place)) }
        recentHosts[slot] = RecentHost(place: place, number: number)
        return number
    }

    /// How many numbers of hosts there are.
    var hostCount: Int { Int(hosts.count) }

    /// The first value of a message with this name, as long as the buffers are here; `nil` where it has none.
    func first(_ name: FieldName, of place: FieldPlace) -> ArraySlice<UInt8>? {
        FieldLines(place) { $0 < sealed.count ? sealed[$0] : current }.first(name)
    }

    /// Every buffer, in the order that `FieldPlace` counts them.
    mutating func takeBuffers() -> [[UInt8]] {
        let buffers = sealed + [Array(current.prefix(count))]
        sealed = []
        current = []
        spare = []
        count = 0
        return buffers
    }
}
