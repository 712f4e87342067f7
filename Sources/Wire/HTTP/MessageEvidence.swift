/// Where a message lies in the capture.
///
/// A capture may hold hundreds of thousands of messages: packet numbers are stored in 32 bits.
public struct MessageEvidence: Hashable, Sendable {
    /// When `firstPacket` was captured.
    public var firstTime: Timestamp

    /// When `headPacket` was captured.
    public var headTime: Timestamp

    /// When `lastPacket` was captured.
    public var lastTime: Timestamp

    private var storedFirstPacket: UInt32
    private var storedHeadPacket: UInt32
    private var storedLastPacket: UInt32

    /// The packet that brought the message's first byte, counted from 1.
    public var firstPacket: Int {
        get { Int(storedFirstPacket) }
        set { storedFirstPacket = UInt32(clamping: newValue) }
    }

    /// The packet that completed the head (start line and fields); the message's own packet in reports.
    public var headPacket: Int {
        get { Int(storedHeadPacket) }
        set { storedHeadPacket = UInt32(clamping: newValue) }
    }

    /// The packet that brought the last byte seen of the message, its body included.
    public var lastPacket: Int {
        get { Int(storedLastPacket) }
        set { storedLastPacket = UInt32(clamping: newValue) }
    }

    /// Notes another packet that brought bytes of the message.
    ///
    /// The packet that filled a hole may have been captured before others that were waiting for it.
    @inline(__always)
    mutating func noteLast(_ packet: Int, _ time: Timestamp) {
        guard packet > lastPacket else { return }
        storedLastPacket = UInt32(truncatingIfNeeded: packet)
        lastTime = time
    }

    /// Creates a place in a capture.
    public init(
        firstPacket: Int,
        headPacket: Int,
        lastPacket: Int,
        firstTime: Timestamp,
        headTime: Timestamp,
        lastTime: Timestamp
    ) {
        storedFirstPacket = UInt32(clamping: firstPacket)
        storedHeadPacket = UInt32(clamping: headPacket)
        storedLastPacket = UInt32(clamping: lastPacket)
        self.firstTime = firstTime
        self.headTime = headTime
        self.lastTime = lastTime
    }
}
