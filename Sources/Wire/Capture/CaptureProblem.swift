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
        /// Fragments of IP datagrams are missing.
        case incompleteDatagrams
        /// Frames are encrypted on the link.
        case encryptedFrames
        /// A packet refers to an interface that no block describes.
        case unknownInterface
        /// The compressed data are damaged or cut.
        case damagedCompression
        /// Nothing of the file could be read; the report is about the others.
        case unreadableFile
        /// No secret could be read from the TLS key log.
        case unusableKeyLog
        /// Parts of the TLS key log could not be read.
        case damagedKeyLog
        /// The TLS key log has no secrets of any connection in the capture.
        case foreignKeyLog
        /// The TLS key log has secrets of connections in the capture, but they do not open them.
        case wrongSecrets
        /// The RSA private key fits none of the handshakes that could use one.
        case foreignPrivateKey
        /// The system dropped packets of a live capture before they could be read.
        case droppedPackets
        /// Captured packets could not be kept in a file.
        case unwrittenPackets
        /// The filter cannot be applied to a packet's link type.
        case inapplicableFilter
        /// No packet lies in the range of time and passes the filter.
        case nothingSelected
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
