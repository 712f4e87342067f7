/// Writes a capture file, frame by frame.
public struct CaptureBuilder: Sendable {
    /// How many frames have been added.
    public private(set) var packetCount = 0

    /// The whole file as far as it has been written.
    public private(set) var bytes: [UInt8] = []

    private let format: CaptureFormat
    private var interfaceCount: UInt32 = 1
    private let snapshotLength: Int

    /// Starts a file with its headers.
    ///
    /// - Parameters:
    ///   - format: The layout of the file.
    ///   - linkType: What a frame starts with, as a LINKTYPE_ value; 1 is Ethernet.
    ///   - snapshotLength: How many bytes of a frame are kept, at most.
    public init(_ format: CaptureFormat = CaptureFormat(), linkType: UInt16 = 1, snapshotLength: Int = 262_144) {
        self.format = format
        self.snapshotLength = snapshotLength
        switch format.container {
        case .pcap: writeFileHeader(linkType)
        case .pcapng: writeSectionAndInterface(linkType)
        }
    }

    /// Describes another interface of a pcapng file; returns its number.
    public mutating func addInterface(linkType: UInt16) -> UInt32 {
        precondition(format.container == .pcapng, "a classic file has one interface")
        interfaceCount += 1
        writeInterface(linkType)
        return interfaceCount - 1
    }

    /// Adds a frame.
    ///
    /// - Parameters:
    ///   - frame: The frame's bytes from the link layer's header on.
    ///   - time: When it was captured, in nanoseconds since 1970-01-01 00:00:00 UTC; not negative.
    ///   - interface: The interface that it came from; 0 is the first one.
    public mutating func add(_ frame: [UInt8], at time: Int64, interface: UInt32 = 0) {
        packetCount += 1
        let kept = frame.prefix(snapshotLength)
        let nanoseconds = UInt64(time)
        switch format.container {
        case .pcap:
            let fraction = nanoseconds % 1_000_000_000
            write(UInt32(truncatingIfNeeded: nanoseconds / 1_000_000_000))
            write(UInt32(format.resolution == .microseconds ? fraction / 1000 : fraction))
            write(UInt32(kept.count))
            write(UInt32(frame.count))
            bytes += kept
        case .pcapng:
            let units = format.resolution == .microseconds ? nanoseconds / 1000 : nanoseconds
            var body: [UInt8] = []
            for word in [
                interface, UInt32(units >> 32), UInt32(truncatingIfNeeded: units), UInt32(kept.count),
                UInt32(frame.count),
            ] { body.append(word, in: format.byteOrder) }
            writeBlock(type: 6, body + kept)
        }
    }

    private mutating func write(_ value: some FixedWidthInteger) { bytes.append(value, in: format.byteOrder) }

    /// The 24 bytes before the first record of a classic file.
    ///
    /// - Source: draft-ietf-opsawg-pcap §4.
    private mutating func writeFileHeader(_ linkType: UInt16) {
        write(format.resolution == .microseconds ? UInt32(0xA1B2_C3D4) : UInt32(0xA1B2_3C4D))
        write(UInt16(2))
        write(UInt16(4))
        write(UInt64(0))
        write(UInt32(snapshotLength))
        write(UInt32(linkType))
    }

    /// A Section Header Block of unstated length, and the Interface Description Block of interface 0.
    ///
    /// - Source: draft-ietf-opsawg-pcapng §4.1, §4.2 (if_tsresol is option 9).
    private mutating func writeSectionAndInterface(_ linkType: UInt16) {
        let order = format.byteOrder
        var section: [UInt8] = []
        section.append(UInt32(0x1A2B_3C4D), in: order)
        section.append(UInt16(1), in: order)
        section.append(UInt16(0), in: order)
        section.append(UInt64.max, in: order)
        writeBlock(type: 0x0A0D_0D0A, section)
        writeInterface(linkType)
    }

    private mutating func writeInterface(_ linkType: UInt16) {
        let order = format.byteOrder
        var interface: [UInt8] = []
        interface.append(linkType, in: order)
        interface.append(UInt16(0), in: order)
        interface.append(UInt32(snapshotLength), in: order)
        interface.append(UInt16(9), in: order)
        interface.append(UInt16(1), in: order)
        interface += [format.resolution == .microseconds ? 6 : 9, 0, 0, 0]
        interface.append(UInt32(0), in: order)
        writeBlock(type: 1, interface)
    }

    /// A block: type, total length, the body padded to 32 bits, the total length once more.
    ///
    /// - Source: draft-ietf-opsawg-pcapng §3.1.
    private mutating func writeBlock(type: UInt32, _ body: [UInt8]) {
        let padding = (4 - body.count % 4) % 4
        let length = UInt32(12 + body.count + padding)
        write(type)
        write(length)
        bytes += body + [UInt8](repeating: 0, count: padding)
        write(length)
    }
}
