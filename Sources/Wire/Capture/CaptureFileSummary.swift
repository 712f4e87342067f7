/// One input file, as far as it could be read.
public struct CaptureFileSummary: Hashable, Sendable {
    /// The path as the user gave it; `-` for standard input.
    public var path: String

    /// `pcap`, `pcapng`, `snoop`, `netmon` or `erf`.
    public var format: String

    /// `gzip`, `zstd` or `lz4`, or `nil` where the file was not compressed.
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
