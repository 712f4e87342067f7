import AuthScanNativeCodecs

/// Where the field lines of one message lie among those of all, and what is known of them without a look at them.
///
/// Plain memory, without a reference to the buffers: a message is put down and passed on as it is.
struct FieldPlace: Sendable {
    /// Which names occur: what is asked for most often is not there, and need not be looked for.
    private var names = NameSet()
    private var start: UInt32 = 0
    private var end: UInt32 = 0
    /// Which buffer of a `FieldArena` they lie in.
    private var buffer: UInt32 = 0
    private var host: Int32 = -1

    /// Names by their raw values modulo 64: a name that is not in the set does not occur.
    struct NameSet {
        private var bits: UInt64 = 0

        @inline(__always)
        mutating func insert(_ name: FieldName) { bits |= 1 << UInt64(name.rawValue & 63) }

        @inline(__always)
        func mayContain(_ name: FieldName) -> Bool { bits >> UInt64(name.rawValue & 63) & 1 == 1 }
    }

    /// No field lines.
    init() {}

    /// The lines in a stretch of a buffer of an arena; `host` is the number of the host that Host names, −1 for none.
    init(buffer: Int, range: Range<Int>, names: NameSet, host: Int32) {
        self.names = names
        self.host = host
        start = UInt32(range.lowerBound)
        end = UInt32(range.upperBound)
        self.buffer = UInt32(buffer)
    }

    /// Where they lie in their buffer.
    var range: Range<Int> { Int(start)..<Int(end) }

    /// The buffer that they lie in, which `buffers` hands out by its number; an empty one where there are no lines.
    func storage(in buffers: (Int) -> [UInt8]) -> [UInt8] { start < end ? buffers(Int(buffer)) : [] }

    /// Asks for the first of the lines in the buffers of an arena.
    func prefetch(in buffers: [[UInt8]]) {
        if start < end { buffers[Int(buffer)].prefetch(Int(start), byteCount: CacheLine.bytes) }
    }

    /// The number of the host, where nothing but Host names it; `nil` where it has none (see `HostNumbers`).
    var hostNumber: Int? { host < 0 ? nil : Int(host) }

    /// Whether a line with this name may be present: a quick look, which tells that most are not.
    @inline(__always)
    func mayContain(_ name: FieldName) -> Bool { names.mayContain(name) }
}
