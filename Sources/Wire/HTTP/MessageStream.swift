/// How far the reading of one direction of a connection has come.
struct MessageStream {
    /// What the next byte is.
    enum Mode: UInt8 {
        /// The first byte of a message, or of a stream that was not recognised yet.
        case start
        /// A byte of a head whose beginning is carried.
        case head
        /// A byte of a body of known length; `remaining` are left.
        case body
        /// A byte of a chunk-size line; `remaining` is the size so far.
        case chunkSize
        /// A byte behind the size, before the line's end.
        case chunkExtension
        /// A byte of chunk data; `remaining` are left.
        case chunkData
        /// A byte of the line end behind chunk data.
        case chunkEnd
        /// A byte of the trailer section; `remaining` is the length of its line so far.
        case trailers
        /// A byte of a body that ends with the connection.
        case untilClose
        /// Anything: the next start line is looked for.
        case resync
        /// Nothing that is read.
        case opaque
        /// A byte of a TLS record; `layer` says of which connection. `remaining` bytes are to come that nobody looks at.
        case secured
        /// A byte of an HTTP/2 frame; `layer` says of which connection.
        case http2
        /// A byte of a message to or from a key distribution center.
        case kdc
    }

    /// Which messages the direction carries.
    enum Kind: UInt8 {
        case unknown
        case requests
        case responses
    }

    /// The index of the transaction whose message is being read; −1 where there is none.
    ///
    /// Not to be set while a head is carried.
    var transaction: Int32 {
        get { mode == .head ? -1 : index }
        set { index = newValue }
    }

    /// The index of the carried head; −1 where none is carried.
    ///
    /// Only to be set just before or while `mode` is `.head`.
    var carry: Int32 {
        get { mode == .head ? index : -1 }
        set { index = newValue }
    }

    /// The index of the TLS or HTTP/2 connection that the direction belongs to.
    ///
    /// Only to be set just before, or used while, `mode` is `.secured` or `.http2`.
    var layer: Int32 {
        get { index }
        set { index = newValue }
    }

    /// Begins a body whose end is known.
    mutating func begin(_ framing: BodyFraming) {
        switch framing {
        case .length(let count):
            remaining = count
            mode = .body
        case .chunked: beginChunkSize()
        case .untilClose: mode = .untilClose
        case .unknown: break
        }
    }

    /// Ends the message being read.
    @inline(__always)
    mutating func end() {
        mode = .start
        transaction = -1
        isDamaged = false
    }

    /// Passes bytes where nobody looks at any of them; `false`, and nothing is changed, otherwise.
    @inline(__always)
    mutating func pass(_ count: Int) -> Bool {
        if mode == .secured, remaining >= count {
            remaining &-= count
            return true
        }
        return mode == .opaque
    }

    var mode = Mode.start
    var kind = Kind.unknown
    /// Whether bytes of the message being read are missing.
    var isDamaged = false
    /// Whether the chunk-size line has a digit yet.
    var hasDigit = false
    private var index: Int32 = -1
    /// What is left of the body, chunk or record, or the size or length so far; see `Mode`.
    var remaining = 0
}

/// The beginning of a head whose end has not arrived.
struct CarriedHead {
    var bytes: [UInt8] = []
    /// How far the end has been looked for.
    var scanned = 0
    /// Whether the bytes are a start line for sure.
    var isRecognised = false
    var firstPacket = 0
    var firstTime = Timestamp(nanoseconds: 0)
}
