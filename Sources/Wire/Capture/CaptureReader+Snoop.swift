// Captures of Solaris' snoop; all integers are most significant byte first.
//
// header: "snoop" and three zeros(8) version(4) data link type(4)
// record: original length(4) included length(4) record length(4) drops(4) seconds(4) microseconds(4) bytes, filled up
//
// - Source: RFC 1761.

extension CaptureReader {
    static let snoopHeaderBytes = 16
    private static let snoopRecordHeaderBytes = 24

    /// Whether a file starts as snoop's do; the version is the only one that there is an RFC of.
    static func isSnoop(_ block: RawSpan, at position: Int) -> Bool {
        block.byteCount - position >= 12 && block.holds("snoop\0\0\0", at: position)
            && block.bigEndian32(position + 8) == 2
    }

    mutating func readSnoopHeader(in block: RawSpan, at position: inout Int) {
        interfaces = [
            CaptureInterface(
                linkType: CaptureReader.linkType(dlpi: block.bigEndian32(position + 12)),
                snapshotLength: 0
            )
        ]
        format = .snoop
        formatName = "snoop"
        position += CaptureReader.snoopHeaderBytes
    }

    /// What the media types of Solaris' data link provider interface are among the registered link types.
    private static func linkType(dlpi type: UInt32) -> LinkType {
        switch type {
        case 0, 4: .ethernet
        case 2: .tokenRing
        case 8: .fddi
        case 9, 14: .null
        case 18: .sunATM
        case 0x8000_0001: .ipnet
        default: .unregistered
        }
    }

    /// The bytes of the record at a place; those of its header while more cannot be told, or is not to be believed.
    func snoopRecordLength(in block: RawSpan, at position: Int) -> Int {
        guard block.byteCount - position >= CaptureReader.snoopRecordHeaderBytes else {
            return CaptureReader.snoopRecordHeaderBytes
        }
        let length = Int(block.bigEndian32(position + 8))
        return isSnoopLength(length, Int(block.bigEndian32(position + 4)))
            ? length : CaptureReader.snoopRecordHeaderBytes
    }

    private func isSnoopLength(_ length: Int, _ included: Int) -> Bool {
        included <= length - CaptureReader.snoopRecordHeaderBytes && length <= recordLimit
    }

    /// Consumes one record.
    mutating func readSnoopRecord(in block: RawSpan, at position: inout Int) -> CapturedFrame? {
        let (length, included) = (Int(block.bigEndian32(position + 8)), Int(block.bigEndian32(position + 4)))
        guard isSnoopLength(length, included) else {
            rejectLength(max(length, included), at: position)
            return nil
        }
        let seconds = Int64(block.bigEndian32(position + 16))
        latestTime = Timestamp(
            nanoseconds: seconds * 1_000_000_000 + Int64(block.bigEndian32(position + 20)) * 1000
        )
        frames += 1
        defer { position += length }
        return CapturedFrame(
            number: frames,
            time: latestTime,
            linkType: interfaces[0].linkType,
            start: position + CaptureReader.snoopRecordHeaderBytes,
            count: included,
            originalLength: max(included, Int(block.bigEndian32(position)))
        )
    }
}
