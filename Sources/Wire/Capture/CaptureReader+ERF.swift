// Captures of Endace's cards, in the Extensible Record Format: records without a file header.
//
// record: time(8, 32.32 bits of seconds, least significant byte first) type(1) flags(1) record length(2) color(2)
//         length on the wire(2) [extension header(8)]... [pad(2), of Ethernet] bytes, filled up
//
// All but the time is most significant byte first; the top bits of the type and of each extension header's type say that an
// extension header follows.
//
// - Source: Endace, "ERF types reference guide" (EDM11-01).

extension CaptureReader {
    private static let erfHeaderBytes = 16

    private enum ERFType {
        /// What a record starts with behind its headers: how many bytes are passed, and what comes then.
        static func payload(_ type: UInt8) -> (skipped: Int, linkType: LinkType)? {
            switch type {
            case 2, 11, 16, 20: (2, .ethernet)
            case 1, 10, 15: (0, .pppHDLC)
            case 5, 17: (4, .pppHDLC)
            case 22: (0, .ipv4)
            case 23: (0, .ipv6)
            default: nil
            }
        }

        /// Fills the space between records, and says nothing.
        static let pad: UInt8 = 48
    }

    /// Whether the first bytes of a file may well be a record: there is no magic number.
    static func isERF(_ block: RawSpan, at position: Int) -> Bool {
        guard block.byteCount - position >= 24 else { return false }
        let (seconds, type) = (block.bigEndian32(position + 4).byteSwapped, block.byte(position + 8))
        let (length, wireLength) = (Int(block.bigEndian16(position + 10)), Int(block.bigEndian16(position + 14)))
        // The first cards were sold in 1996; bits 4 to 7 of the flags stand for errors, or for nothing.
        guard let payload = ERFType.payload(type & 0x7F), (0x3100_0000...0xF000_0000).contains(seconds),
            block.byte(position + 9) & 0xF0 == 0, length >= 24, wireLength > 0
        else { return false }
        // Text is never more likely to be anything else.
        let isText = (0..<24).allSatisfy {
            block.byte(position + $0) >= 0x20 || [9, 10, 13].contains(block.byte(position + $0))
        }
        // What is padded beyond eight bytes more than the packet needs would be a record of nothing.
        return !isText && (type & 0x80 != 0 || length <= erfHeaderBytes + payload.skipped + wireLength + 8)
    }

    mutating func beginERF() {
        interfaces = []
        format = .erf
        formatName = "erf"
    }

    /// The bytes of the record at a place; those of its header while more cannot be told, or is not to be believed.
    func erfRecordLength(in block: RawSpan, at position: Int) -> Int {
        guard block.byteCount - position >= CaptureReader.erfHeaderBytes else { return CaptureReader.erfHeaderBytes }
        return max(CaptureReader.erfHeaderBytes, Int(block.bigEndian16(position + 10)))
    }

    /// Consumes one record; returns its frame unless it only fills space.
    mutating func readERFRecord(in block: RawSpan, at position: inout Int) -> CapturedFrame? {
        let stated = Int(block.bigEndian16(position + 10))
        guard stated >= CaptureReader.erfHeaderBytes else {
            rejectLength(stated, at: position)
            return nil
        }
        let end = position + stated
        defer { position = end }
        let type = block.byte(position + 8)
        guard type & 0x7F != ERFType.pad else { return nil }
        frames += 1
        latestTime = CaptureReader.erfTime(in: block, at: position)
        var start = position + CaptureReader.erfHeaderBytes
        var isFollowed = type & 0x80 != 0
        while isFollowed, start + 8 <= end {
            isFollowed = block.byte(start) & 0x80 != 0
            start += 8
        }
        let payload = ERFType.payload(type & 0x7F) ?? (0, .unregistered)
        start = min(end, start + payload.skipped)
        let wireLength = Int(block.bigEndian16(position + 14))
        return CapturedFrame(
            number: frames,
            time: latestTime,
            linkType: payload.linkType,
            start: start,
            count: min(wireLength, end - start),
            originalLength: wireLength
        )
    }

    private static func erfTime(in block: RawSpan, at position: Int) -> Timestamp {
        let fixed = block.bigEndian64(position).byteSwapped
        let nanoseconds = ((fixed & 0xFFFF_FFFF) * 1_000_000_000 + 0x8000_0000) >> 32
        return Timestamp(nanoseconds: Int64(fixed >> 32) * 1_000_000_000 + Int64(nanoseconds))
    }
}
