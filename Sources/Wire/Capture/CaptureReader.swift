import AuthScanBytes

/// Stage 1: cuts the bytes of pcap and pcapng files into frames, whatever the sizes of the blocks they arrive in.
///
/// A unit is what the file is made of: its header, a pcap record, or a pcapng block. `unitLength` says how many bytes the unit at a
/// place needs, `nextFrame` consumes whole units until one holds a frame. What is left at a block's end is an incomplete unit; its
/// bytes wait in `carried` until `completeCarriedUnit` has the rest.
///
/// ```
/// pcap      header: magic(4) major(2) minor(2) zone(4) accuracy(4) snapshot length(4) link type(4)
///           record: seconds(4) fraction(4) captured length(4) original length(4) bytes
/// pcapng    block:  type(4) total length(4) body … total length(4)
/// ```
///
/// - Source: draft-ietf-opsawg-pcap; draft-ietf-opsawg-pcapng.
struct CaptureReader {
    /// How the current file is framed.
    enum Format {
        case unknown
        case pcap
        case pcapng
        /// Damage was met: the rest of the file is not looked at.
        case ended
    }

    private(set) var format = Format.unknown
    /// What the format is called in reports; empty until it is known.
    private(set) var formatName = ""
    /// Whether the file's integers are stored most significant byte first.
    private(set) var isBigEndian = false
    private(set) var interfaces: [CaptureInterface] = []
    private var recordHeaderBytes = 16

    /// The current file's path, for problems.
    private var path = ""
    /// How many bytes of the file lie before the block being read.
    private var blockOffset = 0
    /// How many bytes of an uninteresting pcapng block are still to be passed over.
    private var skipping = 0
    /// The start of a unit whose end has not arrived.
    private(set) var carried: [UInt8] = []
    private var saidUnknownInterface = false

    /// How many frames were read, over all files.
    private(set) var frames = 0
    /// The time stamp of the latest frame; simple packet blocks, which have none, borrow it.
    private var latestTime = Timestamp(nanoseconds: 0)
    /// What was wrong, in file order.
    var problems: [CaptureProblem] = []

    private let recordLimit: Int

    init(limits: Limits) { recordLimit = limits.recordBytes }

    /// How many bytes of the file were received so far.
    var bytesReceived: Int { blockOffset }

    /// Starts another file.
    mutating func beginFile(path: String) {
        self.path = path
        format = .unknown
        formatName = ""
        interfaces = []
        blockOffset = 0
        skipping = 0
        carried = []
        saidUnknownInterface = false
    }

    /// Says what an ended file lacks.
    mutating func endFile() {
        guard format != .ended, format != .unknown, !carried.isEmpty || skipping > 0 else { return }
        let missing = skipping > 0 ? skipping : withBytes(of: carried) { unitLength(in: $0, at: 0) - $0.byteCount }
        report(
            .truncatedRecord,
            at: blockOffset - carried.count,
            "the file ends in the middle of a record, at least \(missing) bytes too early"
        )
        carried = []
    }

    /// Takes bytes from a block's start to complete the unit that waits, or to pass over a block; returns how many were taken.
    mutating func completeCarriedUnit(from block: RawSpan) -> Int {
        if skipping > 0 {
            let passed = min(skipping, block.byteCount)
            skipping -= passed
            return passed
        }
        guard !carried.isEmpty else { return 0 }
        var taken = 0
        while taken < block.byteCount {
            let missing = withBytes(of: carried) { unitLength(in: $0, at: 0) - $0.byteCount }
            guard missing > 0 else { break }
            let count = min(missing, block.byteCount - taken)
            carried.append(block.extracting(taken..<(taken + count)))
            taken += count
        }
        return taken
    }

    /// The carried bytes, where they are a whole unit; the caller reads them as a block, then gives them back.
    mutating func takeCarriedUnit() -> [UInt8]? {
        guard !carried.isEmpty, withBytes(of: carried, { unitLength(in: $0, at: 0) <= $0.byteCount }) else {
            return nil
        }
        var unit: [UInt8] = []
        swap(&unit, &carried)
        return unit
    }

    /// Moves on in the file by bytes that were taken.
    mutating func advance(by count: Int) { blockOffset += count }

    /// Keeps the bytes of a unit whose end has not arrived.
    mutating func carry(_ rest: RawSpan) {
        if format == .ended { return }
        carried.append(rest)
    }

    /// The next frame at or after `position`, which moves behind it; `nil` when the block holds no further whole frame.
    @inline(__always)
    mutating func nextFrame(in block: RawSpan, at position: inout Int) -> CapturedFrame? {
        while position < block.byteCount {
            switch format {
            case .pcap:
                guard position &+ recordHeaderBytes <= block.byteCount else { return nil }
                let count = Int(read32(block, position &+ 8))
                guard count <= recordLimit else {
                    rejectLength(count, at: position)
                    continue
                }
                let start = position &+ recordHeaderBytes
                guard start &+ count <= block.byteCount else { return nil }
                defer { position = start &+ count }
                return frame(pcapRecordIn: block, at: position, start: start, count: count)
            case .pcapng:
                guard position &+ unitLength(in: block, at: position) <= block.byteCount else { return nil }
                if let frame = readBlock(in: block, at: &position) { return frame }
            case .unknown:
                guard position &+ unitLength(in: block, at: position) <= block.byteCount else { return nil }
                readFileHeader(in: block, at: &position)
                if format == .unknown { return nil }
            case .ended:
                position = block.byteCount
            }
        }
        return nil
    }

    /// How many bytes the unit at `position` needs before it can be consumed; grows as more of the unit becomes visible.
    func unitLength(in block: RawSpan, at position: Int) -> Int {
        let available = block.byteCount - position
        switch format {
        case .pcap:
            guard available >= recordHeaderBytes else { return recordHeaderBytes }
            let count = Int(read32(block, position + 8))
            return count <= recordLimit ? recordHeaderBytes + count : recordHeaderBytes
        case .pcapng: return blockLength(in: block, at: position, available: available)
        case .unknown:
            guard available >= 4 else { return 4 }
            return block.bigEndian32(position) == 0x0A0D_0D0A ? 12 : 24
        case .ended: return 1
        }
    }

    @inline(__always)
    private func read32(_ block: RawSpan, _ offset: Int) -> UInt32 {
        isBigEndian ? block.bigEndian32(offset) : block.bigEndian32(offset).byteSwapped
    }

    private func read16(_ block: RawSpan, _ offset: Int) -> UInt16 {
        isBigEndian ? block.bigEndian16(offset) : block.bigEndian16(offset).byteSwapped
    }

    private mutating func report(_ kind: CaptureProblem.Kind, at offset: Int, _ message: String) {
        problems.append(
            CaptureProblem(kind: kind, file: path, packet: frames + 1, offset: offset, message: message)
        )
        if kind != .unknownInterface { format = .ended }
    }

    private mutating func rejectLength(_ length: Int, at position: Int) {
        report(
            .invalidLength,
            at: blockOffset + position,
            "a record states a length of \(length) bytes, which cannot be; the rest of the file is not read"
        )
    }
}

// MARK: - Classic pcap

extension CaptureReader {
    /// Recognises a file by its first bytes; leaves `format` unknown where they are no capture's.
    private mutating func readFileHeader(in block: RawSpan, at position: inout Int) {
        let magic = block.bigEndian32(position)
        if magic == 0x0A0D_0D0A {
            // The section header block is read as a block: it says the byte order itself.
            format = .pcapng
            formatName = "pcapng"
            return
        }
        guard let header = PcapMagic(magic) else { return }
        isBigEndian = header.isBigEndian
        recordHeaderBytes = header.recordHeaderBytes
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
        position += 24
    }

    @inline(__always)
    private mutating func frame(pcapRecordIn block: RawSpan, at position: Int, start: Int, count: Int) -> CapturedFrame
    {
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
            originalLength: max(count, Int(read32(block, position &+ 12)))
        )
    }
}

/// What the first four bytes of a classic pcap file say.
private struct PcapMagic {
    let isBigEndian: Bool
    let isNanoseconds: Bool
    let recordHeaderBytes: Int

    /// `nil` where the bytes, read most significant first, are no pcap's.
    init?(_ magic: UInt32) {
        switch magic {
        case 0xA1B2_C3D4, 0xA1B2_3C4D, 0xA1B2_CD34: isBigEndian = true
        case 0xD4C3_B2A1, 0x4D3C_B2A1, 0x34CD_B2A1: isBigEndian = false
        default: return nil
        }
        isNanoseconds = magic == 0xA1B2_3C4D || magic == 0x4D3C_B2A1
        // Kuznetzov's patched libpcap wrote eight more bytes about each record.
        recordHeaderBytes = magic == 0xA1B2_CD34 || magic == 0x34CD_B2A1 ? 24 : 16
    }
}

// MARK: - pcapng

extension CaptureReader {
    private enum BlockType {
        static let sectionHeader: UInt32 = 0x0A0D_0D0A
        static let interfaceDescription: UInt32 = 1
        static let packet: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let enhancedPacket: UInt32 = 6

        static func isRead(_ type: UInt32) -> Bool {
            type == sectionHeader || (1...3).contains(type) || type == enhancedPacket
        }
    }

    /// The total length of the block at `position`, rounded up to 32 bits; 12 while it cannot be told or is not to be believed.
    private func blockLength(in block: RawSpan, at position: Int, available: Int) -> Int {
        guard available >= 12 else { return 12 }
        let (type, stated) = blockHeader(in: block, at: position)
        guard BlockType.isRead(type), (12...recordLimit).contains(stated) else { return 12 }
        return (stated + 3) & ~3
    }

    /// The type of a block, and its total length in its own byte order.
    private func blockHeader(in block: RawSpan, at position: Int) -> (type: UInt32, length: Int) {
        let type = read32(block, position)
        guard type == BlockType.sectionHeader else { return (type, Int(read32(block, position + 4))) }
        let big = block.bigEndian32(position + 8) == 0x1A2B_3C4D
        let length = block.bigEndian32(position + 4)
        return (type, Int(big ? length : length.byteSwapped))
    }

    /// Consumes one block; returns its frame where it holds one.
    private mutating func readBlock(in block: RawSpan, at position: inout Int) -> CapturedFrame? {
        let (type, stated) = blockHeader(in: block, at: position)
        guard stated >= 12, stated <= recordLimit || !BlockType.isRead(type) else {
            rejectLength(stated, at: position)
            return nil
        }
        let start = position
        let length = (stated + 3) & ~3
        position = min(block.byteCount, start + length)
        guard BlockType.isRead(type) else {
            skipping = start + length - position
            return nil
        }
        if type == BlockType.sectionHeader, !readSectionHeader(in: block, at: start, length: length) { return nil }
        // "This field ... has the same value as the first Block Total Length field" (§3.1).
        guard Int(read32(block, start + length - 4)) == stated else {
            report(
                .malformedBlock,
                at: blockOffset + start,
                "a block states two different lengths; the rest of the file is not read"
            )
            return nil
        }
        let body = (start + 8)..<(start + length - 4)
        switch type {
        case BlockType.interfaceDescription: readInterface(in: block, body: body)
        case BlockType.enhancedPacket: return enhancedPacket(in: block, body: body)
        case BlockType.simplePacket: return simplePacket(in: block, body: body)
        case BlockType.packet: return obsoletePacket(in: block, body: body)
        default: break
        }
        return nil
    }

    /// Starts a section: its byte order, and no interfaces yet.
    private mutating func readSectionHeader(in block: RawSpan, at start: Int, length: Int) -> Bool {
        let order = block.bigEndian32(start + 8)
        guard length >= 28, order == 0x1A2B_3C4D || order == 0x4D3C_2B1A else {
            report(.malformedBlock, at: blockOffset + start, "a section header without a byte-order magic")
            return false
        }
        isBigEndian = order == 0x1A2B_3C4D
        interfaces = []
        return true
    }

    private mutating func readInterface(in block: RawSpan, body: Range<Int>) {
        guard body.count >= 8 else {
            report(
                .malformedBlock,
                at: blockOffset + body.lowerBound - 8,
                "an interface description shorter than its fixed part"
            )
            return
        }
        var interface = CaptureInterface(
            linkType: LinkType(rawValue: read16(block, body.lowerBound)),
            snapshotLength: Int(read32(block, body.lowerBound + 4))
        )
        var option = body.lowerBound + 8
        while option + 4 <= body.upperBound {
            let code = read16(block, option)
            let length = Int(read16(block, option + 2))
            guard code != 0, option + 4 + length <= body.upperBound else { break }
            if code == 9, length >= 1 { interface.resolution = block.byte(option + 4) }
            if code == 14, length >= 8 { interface.offset = Int64(bitPattern: read64(block, option + 4)) }
            option += 4 + ((length + 3) & ~3)
        }
        interfaces.append(interface)
    }

    private func read64(_ block: RawSpan, _ offset: Int) -> UInt64 {
        isBigEndian ? block.bigEndian64(offset) : block.bigEndian64(offset).byteSwapped
    }

    /// interface(4) time high(4) time low(4) captured length(4) original length(4) bytes.
    private mutating func enhancedPacket(in block: RawSpan, body: Range<Int>) -> CapturedFrame? {
        guard body.count >= 20 else {
            return rejectPacket(body, "an enhanced packet block shorter than its fixed part")
        }
        return packet(in: block, body: body, interface: Int(read32(block, body.lowerBound)))
    }

    /// interface(2) drops(2), then as in an enhanced packet block.
    private mutating func obsoletePacket(in block: RawSpan, body: Range<Int>) -> CapturedFrame? {
        guard body.count >= 20 else { return rejectPacket(body, "a packet block shorter than its fixed part") }
        return packet(in: block, body: body, interface: Int(read16(block, body.lowerBound)))
    }

    private mutating func packet(in block: RawSpan, body: Range<Int>, interface: Int) -> CapturedFrame? {
        let count = Int(read32(block, body.lowerBound + 12))
        guard count <= body.count - 20 else {
            return rejectPacket(body, "a packet block shorter than the packet it states")
        }
        guard interfaces.indices.contains(interface) else { return rejectInterface(interface, body: body) }
        let units = UInt64(read32(block, body.lowerBound + 4)) << 32 | UInt64(read32(block, body.lowerBound + 8))
        latestTime = interfaces[interface].timestamp(units)
        frames += 1
        return CapturedFrame(
            number: frames,
            time: latestTime,
            linkType: interfaces[interface].linkType,
            start: body.lowerBound + 20,
            count: count,
            originalLength: max(count, Int(read32(block, body.lowerBound + 16)))
        )
    }

    /// original length(4) bytes; the captured length follows from the snapshot length of the section's first interface.
    private mutating func simplePacket(in block: RawSpan, body: Range<Int>) -> CapturedFrame? {
        guard body.count >= 4 else { return rejectPacket(body, "a simple packet block shorter than its fixed part") }
        guard let interface = interfaces.first else { return rejectInterface(0, body: body) }
        let original = Int(read32(block, body.lowerBound))
        let kept = interface.snapshotLength == 0 ? original : min(original, interface.snapshotLength)
        frames += 1
        return CapturedFrame(
            number: frames,
            time: latestTime,
            linkType: interface.linkType,
            start: body.lowerBound + 4,
            count: min(kept, body.count - 4),
            originalLength: original
        )
    }

    private mutating func rejectPacket(_ body: Range<Int>, _ message: String) -> CapturedFrame? {
        report(.malformedBlock, at: blockOffset + body.lowerBound - 8, message + "; the rest of the file is not read")
        return nil
    }

    private mutating func rejectInterface(_ interface: Int, body: Range<Int>) -> CapturedFrame? {
        if !saidUnknownInterface {
            saidUnknownInterface = true
            report(
                .unknownInterface,
                at: blockOffset + body.lowerBound - 8,
                "a packet refers to interface \(interface), which no block describes; such packets are counted, not read"
            )
        }
        frames += 1
        return nil
    }
}
