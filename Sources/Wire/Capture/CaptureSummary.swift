public import AuthScanBytes

/// One input file, as far as it could be read.
public struct CaptureFileSummary: Hashable, Sendable {
    /// The path as the user gave it; `-` for standard input.
    public var path: String

    /// `pcap` or `pcapng`.
    public var format: String

    /// `gzip`, or `nil` where the file was not compressed.
    public var compression: String?

    /// How many packets were read.
    public var packets: Int

    /// How many bytes of capture were read, after decompression.
    public var bytes: Int

    /// Creates a summary.
    public init(path: String, format: String, compression: String?, packets: Int, bytes: Int) {
        self.path = path
        self.format = format
        self.compression = compression
        self.packets = packets
        self.bytes = bytes
    }
}

/// Damage, or something that this version does not read, in a capture file.
public struct CaptureProblem: Hashable, Sendable {
    /// What kind of problem it is; the raw value is the `kind` of the JSON report.
    public enum Kind: String, Sendable {
        /// The file ends in the middle of a record.
        case truncatedRecord
        /// A record or block states a length that cannot be.
        case invalidLength
        /// A block's structure contradicts itself.
        case malformedBlock
        /// A packet's link type is not read.
        case unsupportedLinkType
        /// A packet refers to an interface that no block describes.
        case unknownInterface
        /// The compressed data are damaged or cut.
        case damagedCompression
        /// A limit of the analysis was met.
        case limitReached
    }

    /// What kind of problem it is.
    public var kind: Kind

    /// The path of the file.
    public var file: String

    /// The packet concerned, or the one that would have come next; counted from 1 over all files.
    public var packet: Int?

    /// Where the damaged record starts, in bytes from the start of the (decompressed) file.
    public var offset: Int?

    /// What happened, in one sentence without a full stop.
    public var message: String

    /// Creates a problem.
    public init(kind: Kind, file: String, packet: Int?, offset: Int?, message: String) {
        self.kind = kind
        self.file = file
        self.packet = packet
        self.offset = offset
        self.message = message
    }
}

/// Everything that the packet stages found, handed on as one value.
public struct WireCapture: Sendable {
    /// The input files in the order in which they were read.
    public var files: [CaptureFileSummary] = []

    /// How many packets there were in all files.
    public var packets = 0

    /// The earliest time stamp; `nil` for a capture without packets.
    public var firstTime: Timestamp?

    /// The latest time stamp; `nil` for a capture without packets.
    public var lastTime: Timestamp?

    /// What was damaged or not readable, in file order.
    public var problems: [CaptureProblem] = []

    /// How many packets were cut by the capture's snapshot length.
    public var truncatedPackets = 0

    /// The TCP connections in the order in which they begin; number *n* is at index *n* − 1.
    public var connections: [Connection] = []

    /// The HTTP transactions in the order in which they begin; number *n* is at index *n* − 1.
    public var transactions: [HTTPTransaction] = []

    /// How many transactions were seen beyond the limit and not kept.
    public var transactionsLeftOut = 0

    /// The limits that were met.
    public var limitsExceeded: [LimitExceeded] = []

    /// An empty capture.
    public init() {}
}
