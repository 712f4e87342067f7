/// The header of Apple's packet tap before a frame, of version 1 and without time stamp or UUIDs.
///
/// - Source: xnu, bsd/net/pktap.h.
struct PacketTap {
    /// The number that the frames of such a capture are registered with.
    static let linkType: UInt16 = 258

    /// A process's name, which the system cuts to 16 bytes, and its id.
    struct Process {
        var name: String
        var id: Int32
    }

    /// The header, and the Ethernet frame behind it.
    static func frame(_ frame: [UInt8], isOutgoing: Bool, process: Process, effective: Process) -> [UInt8] {
        var bytes: [UInt8] = []
        for word: UInt32 in [156, 1, 1] { bytes.appendLittleEndian(word) }
        bytes += field("en0", 24)
        // Direction, AF_INET, the length of the frame's own header, nothing behind the frame.
        for word: UInt32 in [isOutgoing ? 2 : 1, 2, 14, 0] { bytes.appendLittleEndian(word) }
        bytes.appendLittleEndian(process.id)
        bytes += field(process.name, 20)
        bytes.appendLittleEndian(UInt32(0))
        // Ethernet, and unit 0.
        bytes.appendLittleEndian(UInt16(6))
        bytes.appendLittleEndian(UInt16(0))
        bytes.appendLittleEndian(effective.id)
        bytes += field(effective.name, 20)
        return bytes + [UInt8](repeating: 0, count: 156 - bytes.count) + frame
    }

    private static func field(_ text: String, _ length: Int) -> [UInt8] {
        let kept = Array(text.utf8.prefix(16))
        return kept + [UInt8](repeating: 0, count: length - kept.count)
    }
}
