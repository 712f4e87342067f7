// Captures of Microsoft Network Monitor, versions 1 and 2; all integers are least significant byte first.
//
// header:      "RTSS" or "GMBU"(4) minor(1) major(1) network(2) start(16) frame table offset(4) length(4)
//              offsets and lengths of five more tables(40) ..., 128 bytes in all
// record, 1.x: milliseconds(4) original length(2) captured length(2) bytes
// record, 2.x: microseconds(8) original length(4) captured length(4) bytes,
//              from 2.1 on network(2), from 2.2 on process(4), from 2.3 on UTC(8) zone(1)
//
// The frame table lists where the records start; they are written one behind the other, and the tables behind them, so that a
// file can be read front to back. The start is a Windows SYSTEMTIME of an unknown time zone, read as UTC; from 2.3 on records
// state UTC themselves.
//
// - Source: Microsoft, "Network Monitor capture file format" (in the help of Network Monitor 3.4).

/// What the header of a Network Monitor file says.
struct NetworkMonitorHeader {
    static let byteCount = 128

    let version: (major: UInt8, minor: UInt8)
    /// What the frames are, for versions whose records do not say.
    let network: UInt16
    /// When the capture began.
    let start: Timestamp
    /// Where the records end, in bytes from the start of the file; `nil` where the header does not say.
    let end: Int?
    /// How many records the frame table lists.
    let listedRecords: Int

    /// The bytes of a record before its frame, and behind it.
    var recordHeaderBytes: Int { version.major == 1 ? 8 : 16 }
    var recordTrailerBytes: Int {
        guard version.major > 1 else { return 0 }
        switch version.minor {
        case 0: return 0
        case 1: return 2
        case 2: return 6
        default: return 15
        }
    }

    /// Whether a file starts as those of Network Monitor do, of a version that is read.
    static func isAt(_ position: Int, in block: RawSpan) -> Bool {
        guard block.byteCount - position >= 6 else { return false }
        let (magic, major) = (block.bigEndian32(position), block.byte(position + 5))
        return (magic == 0x5254_5353 && major == 1) || (magic == 0x474D_4255 && (1...2).contains(major))
    }

    /// Reads the header at a place, which must be there whole.
    init(in block: RawSpan, at position: Int) {
        version = (block.byte(position + 5), block.byte(position + 4))
        network = block.littleEndian16(position + 6)
        start = NetworkMonitorHeader.systemTime(in: block, at: position + 8)
        let tables = stride(from: 24, to: 72, by: 8).map { Int(block.littleEndian32(position + $0)) }
        end = tables.filter { $0 >= NetworkMonitorHeader.byteCount }.min()
        listedRecords = Int(block.littleEndian32(position + 28)) / 4
    }

    /// year(2) month(2) day of week(2) day(2) hour(2) minute(2) second(2) milliseconds(2).
    ///
    /// - Source: MS-DTYP 2.3.13 (SYSTEMTIME).
    private static func systemTime(in block: RawSpan, at position: Int) -> Timestamp {
        let words = (0..<8).map { Int(block.littleEndian16(position + 2 * $0)) }
        // A month that is none would take part in a sum of days; nothing else can be told of such a time.
        guard (1601...2261).contains(words[0]), (1...12).contains(words[1]) else { return Timestamp(nanoseconds: 0) }
        let days = TimeRange.days(year: words[0], month: words[1], day: words[3])
        let seconds = days * 86_400 + words[4] * 3600 + words[5] * 60 + words[6]
        let (nanoseconds, isTooFar) = Int64(seconds * 1000 + words[7]).multipliedReportingOverflow(by: 1_000_000)
        return Timestamp(nanoseconds: isTooFar ? 0 : nanoseconds)
    }
}

extension CaptureReader {
    mutating func readNetworkMonitorHeader(in block: RawSpan, at position: inout Int) {
        networkMonitor = NetworkMonitorHeader(in: block, at: position)
        format = .networkMonitor
        formatName = "netmon"
        position += NetworkMonitorHeader.byteCount
    }

    /// The bytes of the record at a place; those of its header while more cannot be told, or is not to be believed.
    func networkMonitorRecordLength(_ header: NetworkMonitorHeader, in block: RawSpan, at position: Int) -> Int {
        if isPastRecords(header, position) { return 1 }
        guard block.byteCount - position >= header.recordHeaderBytes else { return header.recordHeaderBytes }
        let count = capturedLength(header, in: block, at: position)
        guard count <= recordLimit else { return header.recordHeaderBytes }
        return header.recordHeaderBytes + count + header.recordTrailerBytes
    }

    private func isPastRecords(_ header: NetworkMonitorHeader, _ position: Int) -> Bool {
        header.end.map { blockOffset + position >= $0 } ?? false
    }

    private func capturedLength(_ header: NetworkMonitorHeader, in block: RawSpan, at position: Int) -> Int {
        header.version.major == 1
            ? Int(block.littleEndian16(position + 6)) : Int(block.littleEndian32(position + 12))
    }

    /// Consumes one record, or finds the end of the records; returns a frame unless the record holds something else.
    mutating func readNetworkMonitorRecord(
        _ header: NetworkMonitorHeader,
        in block: RawSpan,
        at position: inout Int
    ) -> CapturedFrame? {
        if isPastRecords(header, position) {
            endNetworkMonitorRecords(header, at: position)
            return nil
        }
        let count = capturedLength(header, in: block, at: position)
        guard count <= recordLimit else {
            rejectLength(count, at: position)
            return nil
        }
        let record = position
        let start = record + header.recordHeaderBytes
        position = start + count + header.recordTrailerBytes
        networkMonitorRecords += 1
        let network = header.recordTrailerBytes > 0 ? block.littleEndian16(start + count) : header.network
        // Statistics, filters and the like that the program keeps among the frames.
        guard network < 0xFFFB else { return nil }
        latestTime = time(header, in: block, at: record, trailer: start + count)
        frames += 1
        let original =
            header.version.major == 1
            ? Int(block.littleEndian16(record + 4)) : Int(block.littleEndian32(record + 8))
        var frame = CapturedFrame(
            number: frames,
            time: latestTime,
            linkType: CaptureReader.linkType(network: network),
            start: start,
            count: count,
            originalLength: max(count, original)
        )
        CaptureReader.passRadioHeader(&frame, in: block)
        return frame
    }

    /// Before a Wi-Fi frame: version(1), length of this header(2), then what the radio measured.
    private static func passRadioHeader(_ frame: inout CapturedFrame, in block: RawSpan) {
        guard frame.linkType == .ieee80211, frame.count >= 3 else { return }
        let length = min(frame.count, Int(block.littleEndian16(frame.start + 1)))
        frame.start += length
        frame.count -= length
        frame.originalLength -= length
    }

    /// When a record was captured.
    private func time(_ header: NetworkMonitorHeader, in block: RawSpan, at record: Int, trailer: Int) -> Timestamp {
        if header.version.major == 1 {
            return header.start.advanced(by: Int64(block.littleEndian32(record)) * 1_000_000)
        }
        // FILETIME (MS-DTYP 2.3.3): ticks of 100 nanoseconds since 1601.
        let ticks = header.recordTrailerBytes == 15 ? block.bigEndian64(trailer + 6).byteSwapped : 0
        if ticks > 0 {
            let (since1970, isBefore) = Int64(clamping: ticks).subtractingReportingOverflow(116_444_736_000_000_000)
            let (nanoseconds, isTooFar) = since1970.multipliedReportingOverflow(by: 100)
            if !isBefore, !isTooFar { return Timestamp(nanoseconds: nanoseconds) }
        }
        // Negative times are written so that ten times the number, as 64 bits, is the negative count of ticks.
        let delta = Int64(bitPattern: block.bigEndian64(record).byteSwapped &* 10)
        let (nanoseconds, isTooFar) = delta.multipliedReportingOverflow(by: 100)
        return isTooFar ? header.start : header.start.advanced(by: nanoseconds)
    }

    /// What the numbers of networks are among the registered link types; those of libpcap's own have 0xE000 added.
    private static func linkType(network: UInt16) -> LinkType {
        switch network {
        case 1: .ethernet
        case 2: .tokenRing
        case 3: .fddi
        case 6: .ieee80211
        case 7...9: .raw
        case 0xE000...0xEFFF: LinkType(rawValue: network & 0x0FFF)
        default: .unregistered
        }
    }

    /// The rest of the file is tables; one of them says how many records there should have been.
    private mutating func endNetworkMonitorRecords(_ header: NetworkMonitorHeader, at position: Int) {
        if header.listedRecords != networkMonitorRecords {
            report(
                .malformedBlock,
                at: blockOffset + position,
                "the frame table lists \(header.listedRecords) records, and \(networkMonitorRecords) lie before it"
            )
        }
        format = .ended
    }
}
