import AuthScanBytes

extension CaptureReader {
    private enum BlockType {
        static let sectionHeader: UInt32 = 0x0A0D_0D0A
        static let interfaceDescription: UInt32 = 1
        static let packet: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let interfaceStatistics: UInt32 = 5
        static let enhancedPacket: UInt32 = 6
        static let decryptionSecrets: UInt32 = 10
        /// Apple's process information.
        static let processInformation: UInt32 = 0x8000_0001

        /// Whether a block of a length is looked into; what only adds to the packets is passed over where it is huge.
        static func isRead(_ type: UInt32, length: Int, limit: Int) -> Bool {
            switch type {
            case sectionHeader, 1...3, enhancedPacket: true
            case interfaceStatistics, decryptionSecrets, processInformation: length <= limit
            default: false
            }
        }
    }

    private enum OptionCode {
        static let end: UInt16 = 0
        static let interfaceResolution: UInt16 = 9
        static let interfaceOffset: UInt16 = 14
        /// Of an interface statistics block: how many packets the interface dropped, and how many the system.
        static let droppedByInterface: UInt16 = 5
        static let droppedBySystem: UInt16 = 7
        /// Of a process information block.
        static let processName: UInt16 = 2
        /// Of an enhanced packet block: which process, and on whose behalf, as numbers of the section's blocks from 0 on.
        static let processIndex: UInt16 = 0x8001
        static let effectiveProcessIndex: UInt16 = 0x8003
    }

    /// The total length of the block at `position`, rounded up to 32 bits; 12 while it cannot be told or is not to be believed.
    func blockLength(in block: RawSpan, at position: Int, available: Int) -> Int {
        guard available >= 12 else { return 12 }
        let (type, stated) = blockHeader(in: block, at: position)
        guard BlockType.isRead(type, length: stated, limit: recordLimit), (12...recordLimit).contains(stated) else {
            return 12
        }
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
    mutating func readBlock(in block: RawSpan, at position: inout Int) -> CapturedFrame? {
        let (type, stated) = blockHeader(in: block, at: position)
        let isRead = BlockType.isRead(type, length: stated, limit: recordLimit)
        guard stated >= 12, stated <= recordLimit || !isRead else {
            rejectLength(stated, at: position)
            return nil
        }
        let start = position
        let length = (stated + 3) & ~3
        position = min(block.byteCount, start + length)
        guard isRead else {
            skipping = start + length - position
            skippedOffset = blockOffset + start
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
        case BlockType.interfaceStatistics: readStatistics(in: block, body: body)
        case BlockType.enhancedPacket: return enhancedPacket(in: block, body: body)
        case BlockType.simplePacket: return simplePacket(in: block, body: body)
        case BlockType.packet: return obsoletePacket(in: block, body: body)
        case BlockType.processInformation: readProcess(in: block, body: body)
        case BlockType.decryptionSecrets: readSecrets(in: block, body: body)
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
        noteLoss()
        isBigEndian = order == 0x1A2B_3C4D
        interfaces = []
        sectionProcesses = []
        processNumbers = [:]
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
        while let (code, value) = readOption(in: block, at: &option, end: body.upperBound) {
            if code == OptionCode.interfaceResolution, value.count >= 1 {
                interface.resolution = block.byte(value.lowerBound)
            }
            if code == OptionCode.interfaceOffset, value.count >= 8 {
                interface.offset = Int64(bitPattern: read64(block, value.lowerBound))
            }
        }
        interfaces.append(interface)
    }

    /// interface(4) time(8) options; what counts is the last block of an interface, for the numbers add up.
    ///
    /// - Source: draft-ietf-opsawg-pcapng §4.6.
    private mutating func readStatistics(in block: RawSpan, body: Range<Int>) {
        guard body.count >= 12 else { return }
        let interface = Int(read32(block, body.lowerBound))
        guard interfaces.indices.contains(interface) else { return }
        var option = body.lowerBound + 12
        var loss = interfaces[interface].loss
        while let (code, value) = readOption(in: block, at: &option, end: body.upperBound) {
            guard value.count >= 8 else { continue }
            if code == OptionCode.droppedByInterface { loss.byInterface = read64(block, value.lowerBound) }
            if code == OptionCode.droppedBySystem { loss.bySystem = read64(block, value.lowerBound) }
        }
        interfaces[interface].loss = loss
    }

    /// The option at a place, which moves behind it; `nil` at the end of the options, which not every writer states.
    ///
    /// code(2) length(2) value, filled up to 32 bits.
    private func readOption(
        in block: RawSpan,
        at position: inout Int,
        end: Int
    ) -> (code: UInt16, value: Range<Int>)? {
        guard position + 4 <= end else { return nil }
        let code = read16(block, position)
        let start = position + 4
        let length = Int(read16(block, position + 2))
        guard code != OptionCode.end, start + length <= end else { return nil }
        position = start + ((length + 3) & ~3)
        return (code, start..<(start + length))
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
        let options = (body.lowerBound + 20 + ((count + 3) & ~3))..<body.upperBound
        return CapturedFrame(
            number: frames,
            time: latestTime,
            linkType: interfaces[interface].linkType,
            start: body.lowerBound + 20,
            count: count,
            originalLength: max(count, Int(read32(block, body.lowerBound + 16))),
            process: sectionProcesses.isEmpty ? 0 : process(in: block, options: options)
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

// MARK: - Processes and secrets

extension CaptureReader {
    /// process id(4) options.
    ///
    /// - Source: "Process Information Block" in Apple's libpcap, pcap-ng.h; pcapng blocks of Darwin in Wireshark's wiretap.
    private mutating func readProcess(in block: RawSpan, body: Range<Int>) {
        guard body.count >= 4, sectionProcesses.count < limits.processes else { return }
        let id = Int32(bitPattern: read32(block, body.lowerBound))
        var name: String?
        var option = body.lowerBound + 4
        while let (code, value) = readOption(in: block, at: &option, end: body.upperBound) {
            guard code == OptionCode.processName, !value.isEmpty else { continue }
            // Some writers count a final zero.
            let text = block.extracting(value.prefix(256)).text.prefix { $0 != "\0" }
            name = text.isEmpty ? nil : String(text)
        }
        sectionProcesses.append(ProcessInformation.Process(name: name, id: id > 0 ? Int(id) : nil))
    }

    /// The number of the process that a packet's options name; 0 where they name none that the section describes.
    private mutating func process(in block: RawSpan, options: Range<Int>) -> UInt32 {
        var own: Int?
        var effective: Int?
        var option = options.lowerBound
        while let (code, value) = readOption(in: block, at: &option, end: options.upperBound) {
            guard value.count >= 4 else { continue }
            if code == OptionCode.processIndex { own = Int(read32(block, value.lowerBound)) }
            if code == OptionCode.effectiveProcessIndex { effective = Int(read32(block, value.lowerBound)) }
        }
        guard let process = own ?? effective, sectionProcesses.indices.contains(process) else { return 0 }
        let other = effective.flatMap { sectionProcesses.indices.contains($0) ? $0 : nil } ?? process
        let key = UInt64(process) << 32 | UInt64(other)
        if let number = processNumbers[key] { return number }
        let isSame = sectionProcesses[process] == sectionProcesses[other]
        let number = processes.number(
            of: ProcessInformation(
                process: sectionProcesses[process],
                effective: isSame ? nil : sectionProcesses[other]
            )
        )
        if processNumbers.count < limits.processes { processNumbers[key] = number }
        return number
    }

    /// secrets type(4) length(4) secrets.
    ///
    /// - Source: draft-ietf-opsawg-pcapng §4.7.
    private mutating func readSecrets(in block: RawSpan, body: Range<Int>) {
        guard body.count >= 8 else { return }
        let count = min(Int(read32(block, body.lowerBound + 4)), body.count - 8)
        guard secretBytes + count <= limits.embeddedSecretBytes, secrets.blocks.count < limits.processes else {
            secrets.blocksLeftOut += 1
            return
        }
        var bytes: [UInt8] = []
        bytes.append(block.extracting((body.lowerBound + 8)..<(body.lowerBound + 8 + count)))
        secretBytes += count
        let kind = EmbeddedSecrets.Kind(rawValue: read32(block, body.lowerBound))
        secrets.blocks.append(EmbeddedSecrets.Block(kind: kind, content: Secret(bytes)))
    }
}
