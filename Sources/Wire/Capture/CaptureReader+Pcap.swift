extension CaptureReader {
    /// Recognises a file by its first bytes; leaves `format` unknown where they are no capture's.
    mutating func readFileHeader(in block: RawSpan, at position: inout Int) {
        let magic = block.bigEndian32(position)
        if magic == 0x0A0D_0D0A {
            // The section header block is read as a block: it says the byte order itself.
            format = .pcapng
            formatName = "pcapng"
            return
        }
        guard let header = PcapMagic(magic) else {
            return readOtherFileHeader(in: block, at: &position)
        }
        isBigEndian = header.isBigEndian
        recordHeaderBytes = header.recordHeaderBytes
        // Until version 2.4, some programs wrote the original length first.
        mayLengthsBeSwapped = read16(block, position + 4) == 2 && read16(block, position + 6) < 4
        interfaces = [
            CaptureInterface(
                // The upper bits hold the length of the frame check sequence.
                linkType: LinkType(rawValue: UInt16(truncatingIfNeeded: read32(block, position + 20))),
                snapshotLength: Int(read32(block, position + 16)),
                resolution: header.isNanoseconds ? 9 : 6
            )
        ]
        format = .pcap
        formatName = "pcap"
        position += header.fileHeaderBytes
    }

    /// Recognises the less frequent formats.
    private mutating func readOtherFileHeader(in block: RawSpan, at position: inout Int) {
        if CaptureReader.isSnoop(block, at: position) {
            readSnoopHeader(in: block, at: &position)
        } else if NetworkMonitorHeader.isAt(position, in: block) {
            readNetworkMonitorHeader(in: block, at: &position)
        } else if CaptureReader.isERF(block, at: position) {
            beginERF()
        } else {
            isForeign = true
        }
    }

    /// The captured length that the record at a place states.
    @inline(__always)
    func capturedLength(in block: RawSpan, at position: Int) -> Int {
        let first = read32(block, position &+ 8)
        return Int(mayLengthsBeSwapped ? min(first, read32(block, position &+ 12)) : first)
    }

    @inline(__always)
    mutating func frame(pcapRecordIn block: RawSpan, at position: Int, start: Int, count: Int) -> CapturedFrame {
        let seconds = Int64(read32(block, position))
        let fraction = Int64(read32(block, position &+ 4))
        let nanoseconds = seconds &* 1_000_000_000 &+ (interfaces[0].resolution == 9 ? fraction : fraction &* 1000)
        latestTime = Timestamp(nanoseconds: nanoseconds)
        frames += 1
        return CapturedFrame(
            number: frames,
            time: latestTime,
            linkType: interfaces[0].linkType,
            start: start,
            count: count,
            originalLength: originalLength(in: block, at: position, captured: count)
        )
    }

    @inline(__always)
    private func originalLength(in block: RawSpan, at position: Int, captured: Int) -> Int {
        let second = Int(read32(block, position &+ 12))
        return mayLengthsBeSwapped ? max(second, Int(read32(block, position &+ 8))) : max(captured, second)
    }
}

/// What the first four bytes of a classic pcap file say.
struct PcapMagic {
    let isBigEndian: Bool
    let isNanoseconds: Bool
    let fileHeaderBytes: Int
    let recordHeaderBytes: Int

    /// `nil` where the bytes, read most significant first, are no pcap's.
    init?(_ magic: UInt32) {
        let forms: [UInt32] = [0xA1B2_C3D4, 0xA1B2_3C4D, 0xA1B2_CD34, 0x1C00_01AC, 0x1C00_01AB]
        isBigEndian = forms.contains(magic)
        guard isBigEndian || forms.contains(magic.byteSwapped) else { return nil }
        let form = isBigEndian ? magic : magic.byteSwapped
        isNanoseconds = form == 0xA1B2_3C4D || form == 0x1C00_01AC
        // Kuznetzov's patched libpcap wrote eight more bytes about each record.
        recordHeaderBytes = form == 0xA1B2_CD34 ? 24 : 16
        // IXIA's lcap, of hardware and of software, states the size of all records behind the header.
        fileHeaderBytes = form >> 16 == 0x1C00 ? 28 : 24
    }
}
