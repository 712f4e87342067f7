import AuthScanBytes

/// Stage 1: cuts the bytes of capture files into frames, whatever the sizes of the blocks they arrive in.
///
/// A unit is what the file is made of: its header, a record, or a pcapng block. `unitLength` says how many bytes the unit at a
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
        case snoop
        case networkMonitor
        /// Endace's Extensible Record Format.
        case erf
        /// Damage or the end of the records was met: the rest of the file is not looked at.
        case ended
    }

    var format = Format.unknown
    /// What the format is called in reports; empty until it is known.
    var formatName = ""
    /// Whether the file's first bytes are no capture's.
    var isForeign = false
    /// Whether the file's integers are stored most significant byte first.
    var isBigEndian = false
    var interfaces: [CaptureInterface] = []
    var recordHeaderBytes = 16
    /// What the header of a Network Monitor file said.
    var networkMonitor: NetworkMonitorHeader?
    /// How many records of such a file were read.
    var networkMonitorRecords = 0
    /// Whether a pcap file is of a time when programs did not agree which of a record's lengths comes first.
    var mayLengthsBeSwapped = false
    /// The processes that the current section of a pcapng file describes.
    var sectionProcesses: [ProcessInformation.Process] = []
    /// The numbers in `processes` of those pairs of them that packets named: the process, and the effective one.
    var processNumbers: [UInt64: UInt32] = [:]

    /// The current file's path, for problems.
    private var path = ""
    /// How many bytes of the file lie before the block being read, or before what is carried.
    private(set) var blockOffset = 0
    /// How many bytes of an uninteresting pcapng block are still to be passed over.
    var skipping = 0
    /// Where that block starts in the file.
    var skippedOffset = 0
    /// The start of a unit whose end has not arrived.
    private(set) var carried: [UInt8] = []
    var saidUnknownInterface = false

    /// How many frames were read, over all files.
    var frames = 0
    /// The time stamp of the latest frame; simple packet blocks, which have none, borrow it.
    var latestTime = Timestamp(nanoseconds: 0)
    /// What was wrong, in file order.
    var problems: [CaptureProblem] = []
    /// The processes that packets belong to, over all files.
    var processes: ProcessTable
    /// What Decryption Secrets Blocks held, over all files.
    var secrets = EmbeddedSecrets()
    var secretBytes = 0

    let limits: Limits
    let recordLimit: Int

    init(limits: Limits) {
        self.limits = limits
        recordLimit = limits.recordBytes
        processes = ProcessTable(limits: limits)
    }

    /// Whether the next bytes belong to a unit that began earlier.
    var isWaiting: Bool { skipping > 0 || !carried.isEmpty }

    /// Starts another file.
    mutating func beginFile(path: String) {
        self.path = path
        format = .unknown
        formatName = ""
        isForeign = false
        interfaces = []
        networkMonitor = nil
        networkMonitorRecords = 0
        blockOffset = 0
        skipping = 0
        carried = []
        saidUnknownInterface = false
        sectionProcesses = []
        processNumbers = [:]
    }

    /// Says what an ended file lacks.
    mutating func endFile() {
        noteLoss()
        guard format != .ended, format != .unknown, !carried.isEmpty || skipping > 0 else { return }
        let missing = skipping > 0 ? skipping : withBytes(of: carried) { unitLength(in: $0, at: 0) - $0.byteCount }
        report(
            .truncatedRecord,
            at: skipping > 0 ? skippedOffset : blockOffset,
            "the file ends in the middle of a record, at least \(missing) bytes too early"
        )
        carried = []
    }

    /// Says what the interfaces of a section dropped, as far as the capturing program knew.
    mutating func noteLoss() {
        let byInterface = interfaces.reduce(0 as UInt64) {
            $0.addingReportingOverflow($1.loss.byInterface).partialValue
        }
        let bySystem = interfaces.reduce(0 as UInt64) { $0.addingReportingOverflow($1.loss.bySystem).partialValue }
        guard byInterface > 0 || bySystem > 0 else { return }
        problems.append(
            CaptureProblem(
                kind: .droppedPackets,
                file: path,
                packet: nil,
                offset: nil,
                message:
                    "packets were dropped when this was captured: \(bySystem) by the system, \(byInterface) by the interface"
            )
        )
    }

    /// Takes bytes from a block's start to complete the unit that waits, or to pass over a block; returns how many were taken.
    mutating func completeCarriedUnit(from block: RawSpan) -> Int {
        if skipping > 0 {
            let passed = min(skipping, block.byteCount)
            skipping -= passed
            blockOffset += passed
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
        return exchange(&carried, with: [])
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
                let count = capturedLength(in: block, at: position)
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
            case .snoop, .networkMonitor, .erf:
                guard position &+ unitLength(in: block, at: position) <= block.byteCount else { return nil }
                if let frame = readOtherRecord(in: block, at: &position) { return frame }
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
            let count = capturedLength(in: block, at: position)
            return count <= recordLimit ? recordHeaderBytes + count : recordHeaderBytes
        case .pcapng: return blockLength(in: block, at: position, available: available)
        case .snoop: return snoopRecordLength(in: block, at: position)
        case .erf: return erfRecordLength(in: block, at: position)
        case .networkMonitor:
            return networkMonitor.map { networkMonitorRecordLength($0, in: block, at: position) } ?? 1
        case .unknown:
            guard available >= 4 else { return 4 }
            let magic = block.bigEndian32(position)
            if NetworkMonitorHeader.isAt(position, in: block) { return NetworkMonitorHeader.byteCount }
            return magic == 0x0A0D_0D0A ? 12 : PcapMagic(magic)?.fileHeaderBytes ?? 24
        case .ended: return 1
        }
    }

    /// Consumes one record of the less frequent formats; returns its frame where it holds one.
    @inline(never)
    private mutating func readOtherRecord(in block: RawSpan, at position: inout Int) -> CapturedFrame? {
        switch format {
        case .snoop: return readSnoopRecord(in: block, at: &position)
        case .erf: return readERFRecord(in: block, at: &position)
        default:
            guard let networkMonitor else { return nil }
            return readNetworkMonitorRecord(networkMonitor, in: block, at: &position)
        }
    }

    @inline(__always)
    func read32(_ block: RawSpan, _ offset: Int) -> UInt32 {
        isBigEndian ? block.bigEndian32(offset) : block.bigEndian32(offset).byteSwapped
    }

    func read16(_ block: RawSpan, _ offset: Int) -> UInt16 {
        isBigEndian ? block.bigEndian16(offset) : block.bigEndian16(offset).byteSwapped
    }

    mutating func report(_ kind: CaptureProblem.Kind, at offset: Int, _ message: String) {
        problems.append(
            CaptureProblem(kind: kind, file: path, packet: frames + 1, offset: offset, message: message)
        )
        if kind != .unknownInterface { format = .ended }
    }

    mutating func rejectLength(_ length: Int, at position: Int) {
        report(
            .invalidLength,
            at: blockOffset + position,
            "a record states a length of \(length) bytes, which cannot be; the rest of the file is not read"
        )
    }
}
