import AuthScanNativeCodecs

/// Reads the frames that most captures are made of, several in a row: Ethernet frames of a classic pcap file that hold an
/// unfragmented TCP segment in IPv4 without options, or a UDP datagram that nobody reads, and were captured whole.
///
/// What `CaptureReader` and `PacketDecoder` look at one after the other in any frame is here one look at 70 bytes; both make the same
/// of such a frame.
struct UsualFrames {
    // Where the headers start: that of the record, then Ethernet's, IPv4's and TCP's, and what lies behind their fixed parts.

    private static let frameOffset = 16
    private static let internetOffset = frameOffset + 14
    private static let transportOffset = internetOffset + 20
    private static let headerBytes = transportOffset + 20

    private let isBigEndian: Bool
    private let nanosecondsPerFraction: Int64
    private let recordLimit: Int
    /// Where the block starts in the one that chunks point to.
    private let blockStart: Int

    /// Where the next record starts in the block.
    private(set) var position: Int
    /// How many frames were read, over all files.
    private(set) var frames: Int
    /// The time stamp of the latest frame, the earliest one and the last one, in nanoseconds.
    private(set) var latestTime: Int64
    private(set) var firstTime: Int64
    private(set) var lastTime: Int64

    /// Goes on from `position` in a block; `nil` where the reader's file is not one that has such frames.
    @inline(__always)
    init?(_ reader: CaptureReader, at position: Int, blockStart: Int, times: (first: Int64, last: Int64)) {
        guard reader.format == .pcap, reader.recordHeaderBytes == UsualFrames.frameOffset,
            !reader.mayLengthsBeSwapped, reader.interfaces[0].linkType == .ethernet
        else { return nil }
        isBigEndian = reader.isBigEndian
        nanosecondsPerFraction = reader.interfaces[0].resolution == 9 ? 1 : 1000
        recordLimit = reader.recordLimit
        self.blockStart = blockStart
        self.position = position
        frames = reader.frames
        latestTime = reader.latestTime.nanoseconds
        firstTime = times.first
        lastTime = times.last
    }

    /// Adds the segments of the next frames to a batch, until that is full or a frame is none of these, or not there whole.
    mutating func read(_ block: RawSpan, into batch: inout SegmentBatch) {
        batch.fill { entries, count in
            while count < entries.count, position &+ UsualFrames.headerBytes <= block.byteCount {
                let header = block.extracting(position..<(position &+ UsualFrames.headerBytes))
                let length = Int(integer(header, 8))
                let start = position &+ UsualFrames.frameOffset
                guard isUsual(header, length), start &+ length <= block.byteCount else { return }
                if header.byte(UsualFrames.internetOffset &+ 9) == IPHeader.Number.tcp {
                    guard UsualFrames.readSegment(header, length, into: &entries[count].segment) else { return }
                    let time = time(header)
                    entries[count].frame = start..<(start &+ length)
                    entries[count].start = blockStart &+ start
                    entries[count].packet = frames &+ 1
                    entries[count].time = Timestamp(nanoseconds: time)
                    count &+= 1
                    note(time)
                } else {
                    let frame = block.extracting(start..<(start &+ length))
                    let offset = UsualFrames.internetOffset &- UsualFrames.frameOffset
                    guard PacketDecoder.isOrdinaryUDP(frame, at: offset) else { return }
                    note(time(header))
                }
                position = start &+ length
                block.prefetch(position..<(position &+ UsualFrames.headerBytes))
            }
        }
    }

    /// Whether the headers, all of which are there, are those of an IPv4 packet without options that is no fragment, in a frame of
    /// `length` bytes that was captured whole.
    @inline(__always)
    private func isUsual(_ header: RawSpan, _ length: Int) -> Bool {
        length == Int(integer(header, 12)) && length <= recordLimit
            && length >= UsualFrames.headerBytes &- UsualFrames.frameOffset
            // The EtherType of IPv4, then version 4 and a header of five words.
            && header.bigEndian32(UsualFrames.internetOffset &- 2) & 0xFFFF_FF00 == 0x0800_4500
            // Neither offset nor more fragments.
            && header.bigEndian16(UsualFrames.internetOffset &+ 6) & 0x3FFF == 0
    }

    /// Reads addresses and the TCP header; `false` where its length is wrong.
    @inline(__always)
    private static func readSegment(_ header: RawSpan, _ length: Int, into segment: inout TCPSegment) -> Bool {
        // The total length is zero where the segment was captured before segmentation offload filled it in.
        let totalLength = Int(header.bigEndian16(internetOffset &+ 2))
        let end = totalLength == 0 ? length : min(length, internetOffset &- frameOffset &+ totalLength)
        let headerLength = Int(header.byte(transportOffset &+ 12) >> 4) &* 4
        let payloadStart = transportOffset &- frameOffset &+ headerLength
        guard headerLength >= 20, payloadStart <= end else { return false }
        segment.isIPv4 = true
        segment.sourceHigh = 0
        segment.sourceLow = UInt64(header.bigEndian32(internetOffset &+ 12))
        segment.destinationHigh = 0
        segment.destinationLow = UInt64(header.bigEndian32(internetOffset &+ 16))
        segment.sourcePort = header.bigEndian16(transportOffset)
        segment.destinationPort = header.bigEndian16(transportOffset &+ 2)
        segment.sequence = header.bigEndian32(transportOffset &+ 4)
        segment.acknowledgement = header.bigEndian32(transportOffset &+ 8)
        segment.flags = TCPSegment.Flags(rawValue: header.byte(transportOffset &+ 13))
        segment.payloadStart = payloadStart
        segment.payloadCount = end &- payloadStart
        segment.missingCount = 0
        segment.process = 0
        return true
    }

    /// An integer of the record header.
    @inline(__always)
    private func integer(_ header: RawSpan, _ offset: Int) -> UInt32 {
        isBigEndian ? header.bigEndian32(offset) : header.littleEndian32(offset)
    }

    @inline(__always)
    private func time(_ header: RawSpan) -> Int64 {
        Int64(integer(header, 0)) &* 1_000_000_000 &+ Int64(integer(header, 4)) &* nanosecondsPerFraction
    }

    /// Notes that a frame was read.
    @inline(__always)
    private mutating func note(_ time: Int64) {
        frames &+= 1
        latestTime = time
        firstTime = min(firstTime, time)
        lastTime = max(lastTime, time)
    }
}
