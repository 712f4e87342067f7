/// How a capture file is laid out.
public struct CaptureFormat: Hashable, Sendable {
    /// The two families of capture file.
    public enum Container: Hashable, Sendable {
        /// The classic format: one file header, one link type, a record for each packet.
        case pcap
        /// The block format; one section with one interface is written.
        case pcapng
    }

    /// The order of the bytes in the file's own integers.
    public enum ByteOrder: Hashable, Sendable {
        /// Least significant byte first.
        case little
        /// Most significant byte first.
        case big
    }

    /// What a unit of the time stamps' fraction is.
    public enum Resolution: Hashable, Sendable {
        /// Finer parts of a time are cut off.
        case microseconds
        /// Times are kept whole.
        case nanoseconds
    }

    /// The family of the file.
    public var container: Container

    /// The order of the bytes in the file's headers.
    public var byteOrder: ByteOrder

    /// The resolution of its time stamps.
    public var resolution: Resolution

    /// Creates a layout; without arguments the commonest one.
    public init(
        _ container: Container = .pcap,
        byteOrder: ByteOrder = .little,
        resolution: Resolution = .microseconds
    ) {
        self.container = container
        self.byteOrder = byteOrder
        self.resolution = resolution
    }
}
