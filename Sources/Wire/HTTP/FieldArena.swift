/// The buffers that the field lines of a capture's messages lie in, filled one after the other.
struct FieldArena {
    private var sealed: [[UInt8]] = []
    /// The buffer being filled.
    private var current: [UInt8] = []

    /// Where the message begun last starts in `current`.
    private var messageStart = 0
    /// The names of its lines.
    private var messageNames = FieldLines.NameSet()

    /// Where values lie that may come again, by a hash of theirs.
    private var recent = [UInt32](repeating: .max, count: 256)

    /// The shortest value that is worth looking for.
    private static let shortestRepeated = 16
    /// How long a buffer grows before the next message gets a new one.
    private static let bufferBytes = 1 << 16

    /// Where the next message's lines will lie: a place in `current`, which has room for an ordinary head.
    mutating func beginMessage() -> Int {
        if current.count >= FieldArena.bufferBytes {
            sealed.append(current)
            current = []
            for slot in recent.indices { recent[slot] = .max }
        }
        messageStart = current.count
        messageNames = FieldLines.NameSet()
        if current.isEmpty { current.reserveCapacity(FieldArena.bufferBytes + 4096) }
        return messageStart
    }

    /// Forgets the lines of the message begun last.
    mutating func discardMessage() { current.removeLast(current.count - messageStart) }

    /// Adds a line to the message begun last.
    @inline(__always)
    mutating func append(_ name: FieldName, _ value: RawSpan) {
        messageNames.insert(name)
        if value.byteCount >= FieldArena.shortestRepeated, appendRepeated(name, value) { return }
        let header = FieldLines.beginLine(name, in: &current)
        current.append(value)
        FieldLines.endLine(header, in: &current)
    }

    /// Refers to the same value further up in the buffer, where it is remembered; else remembers where it will lie.
    private mutating func appendRepeated(_ name: FieldName, _ value: RawSpan) -> Bool {
        let mixed = (value.bigEndian64(0) ^ value.bigEndian64(value.byteCount - 8)) &* 0x9E37_79B9_7F4A_7C15
        let slot = Int(mixed >> 56)
        let place = Int(recent[slot])
        // What is remembered may have been discarded and overwritten: only what lies there now counts.
        guard place + value.byteCount <= current.count, current.holds(value, at: place) else {
            recent[slot] = UInt32(current.count + FieldLines.headerBytes)
            return false
        }
        FieldLines.appendRepeated(name, place..<(place + value.byteCount), in: &current)
        return true
    }

    /// The lines added since `beginMessage`.
    func lines(from start: Int) -> FieldLines {
        FieldLines(buffer: sealed.count, range: start..<current.count, names: messageNames)
    }

    /// Every buffer, in the order that `FieldLines` count them.
    mutating func takeBuffers() -> [[UInt8]] {
        let buffers = sealed + [current]
        sealed = []
        current = []
        return buffers
    }
}
