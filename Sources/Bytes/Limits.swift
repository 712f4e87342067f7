/// How much of a hostile or enormous capture is kept; each limit that is met is named in the report.
///
/// The defaults suit a laptop. A limit never stops the run: what lies beyond it is counted, not kept.
public struct Limits: Sendable {
    /// The largest captured record accepted, in bytes; a longer one is damage.
    public var recordBytes = 1 << 24

    /// The largest message head (start line and fields) looked at, in bytes.
    public var headBytes = 1 << 18

    /// How many bytes of one field value are kept.
    public var fieldValueBytes = 1 << 17

    /// How many bytes of one connection wait for a missing segment before the hole is declared a gap.
    public var pendingBytesPerConnection = 1 << 20

    /// How many bytes of all connections together wait for missing segments.
    public var pendingBytes = 1 << 26

    /// How many files that overlap in time are read side by side; the others wait until one of them ends.
    public var openFiles = 64

    /// How many runs of packets of one file are told apart in a capture of several files.
    public var packetRuns = 2_000_000

    /// How long frames of a file with several interfaces are held back to be put in order, in nanoseconds of their own times.
    public var reorderNanoseconds: Int64 = 1_000_000_000

    /// How many frames are held back at most.
    public var reorderFrames = 1 << 16

    /// How many bytes of frames are held back at most.
    public var reorderBytes = 1 << 24

    /// How many IP datagrams may wait for the rest of their fragments.
    public var fragmentedDatagrams = 1024

    /// How many bytes of IP fragments wait, all datagrams together.
    public var fragmentBytes = 1 << 24

    /// How many processes are told apart.
    public var processes = 10_000

    /// How many bytes of secrets that captures bring along are kept.
    public var embeddedSecretBytes = 1 << 26

    /// How many connections are kept.
    public var connections = 1_500_000

    /// How many transactions are kept with their fields.
    public var transactions = 200_000

    /// How many requests of one connection may wait for their responses.
    public var pipelineDepth = 10_000

    /// How many messages to and from key distribution centers are kept.
    public var kdcMessages = 100_000

    /// How many QUIC connections are told apart; they are counted, not read.
    public var quicConnections = 1 << 16

    /// The largest message to or from a key distribution center that is kept, in bytes.
    public var kdcMessageBytes = 1 << 18

    /// How many bytes of such messages are kept, those that are still coming in included.
    public var kdcBytes = 1 << 26

    /// How many secrets of TLS key logs are kept.
    public var keyLogSecrets = 4_000_000

    /// How many findings of one rule are kept.
    public var findingsPerRule = 10_000

    /// The limits of an ordinary run.
    public init() {}
}

/// A limit that a capture met.
public struct LimitExceeded: Hashable, Sendable {
    /// What there was too much of, in a few words: "transactions", "bytes of one field value".
    public let limit: String

    /// The limit itself.
    public let value: Int

    /// How many times it was met: how many transactions were left out, or how many field values were cut.
    public var leftOut: Int

    /// States that a limit was met.
    public init(limit: String, value: Int, leftOut: Int) {
        self.limit = limit
        self.value = value
        self.leftOut = leftOut
    }
}
