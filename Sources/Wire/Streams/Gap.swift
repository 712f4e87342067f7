/// Bytes that one side sent and the capture lacks.
public struct Gap: Hashable, Sendable {
    /// Who sent the missing bytes.
    public let from: Side

    /// How many bytes are missing.
    public let bytes: Int

    /// The packet that showed the hole: the first one of that side behind it.
    public let beforePacket: Int

    /// Creates a gap.
    public init(from: Side, bytes: Int, beforePacket: Int) {
        self.from = from
        self.bytes = bytes
        self.beforePacket = beforePacket
    }
}
