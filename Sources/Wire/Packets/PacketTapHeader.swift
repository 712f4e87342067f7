/// The header that Apple's packet tap puts before a frame: the interface and the process, and the link type of the frame.
///
/// ```
/// version 1   length(4) type(4) link type(4) interface(24) flags(4) family(4) frame header(4) frame trailer(4)
///             process id(4) name(17 + 3) service class(4) interface type(2) unit(2)
///             effective process id(4) effective name(17 + 3) …
/// version 2   length(1) offsets of uuid, effective uuid, interface, name, effective name(5) link type(2)
///             frame header(2) frame trailer(2) interface type(2) protocol(2) family(4) service class(4) flow(4)
///             process id(4) effective process id(4) flags(4) …
/// ```
/// All numbers are least significant byte first. The flags are at offset 36 in both, and tell them apart.
///
/// - Source: xnu, bsd/net/pktap.h.
struct PacketTapHeader {
    private let start: Int
    private let length: Int
    private let linkType: LinkType
    private let frameHeader: Int
    private let isVersion2: Bool

    /// Reads the header at a place; `nil` where there is none, or none of a packet.
    init?(in bytes: RawSpan, at start: Int) {
        guard bytes.byteCount - start >= 40 else { return nil }
        self.start = start
        isVersion2 = bytes.littleEndian32(start + 36) & 0x0008_0000 != 0
        if isVersion2 {
            length = Int(bytes.byte(start))
            linkType = LinkType(rawValue: bytes.littleEndian16(start + 6))
            frameHeader = Int(bytes.littleEndian16(start + 8))
            guard length >= 40 else { return nil }
        } else {
            length = Int(bytes.littleEndian32(start))
            let type = bytes.littleEndian32(start + 8)
            guard (108...1024).contains(length), bytes.littleEndian32(start + 4) == 1, type <= UInt16.max,
                bytes.byteCount - start >= 108
            else { return nil }
            linkType = LinkType(rawValue: UInt16(type))
            frameHeader = Int(bytes.littleEndian32(start + 44))
        }
        guard linkType != .pktap, linkType != .user2 else { return nil }
    }

    /// Moves a cursor behind the header, to the frame.
    func pass(_ cursor: inout PacketCursor, in bytes: RawSpan) -> Bool {
        // Frames of raw IP may have a protocol family before them, which the link type does not tell.
        let isRaw = linkType == .raw || linkType == .rawBSD || linkType == .rawOpenBSD
        return cursor.pass(length + (isRaw && frameHeader == 4 ? 4 : 0), to: .link(linkType), in: bytes)
    }

    /// The number of the packet's process in a table, which it is added to where it is new; 0 for none.
    func process(in bytes: RawSpan, _ table: inout ProcessTable) -> UInt32 {
        let own: ProcessTable.Entry
        let effective: ProcessTable.Entry
        if isVersion2 {
            own = entry(bytes, idAt: 28, nameAt: Int(bytes.byte(start + 4)))
            effective = entry(bytes, idAt: 32, nameAt: Int(bytes.byte(start + 5)))
        } else {
            own = entry(bytes, idAt: 52, nameAt: 56)
            effective = entry(bytes, idAt: 84, nameAt: 88)
        }
        return table.number(of: own, onBehalfOf: effective)
    }

    private func entry(_ bytes: RawSpan, idAt: Int, nameAt: Int) -> ProcessTable.Entry {
        let id = Int32(bitPattern: bytes.littleEndian32(start + idAt))
        var entry = ProcessTable.Entry(id: id)
        guard nameAt >= 40 else { return entry }
        let end = min(start + min(nameAt + ProcessTable.nameLength, length), bytes.byteCount)
        var position = start + nameAt
        while position < end, bytes.byte(position) != 0 {
            entry.append(bytes.byte(position))
            position += 1
        }
        return entry
    }
}
