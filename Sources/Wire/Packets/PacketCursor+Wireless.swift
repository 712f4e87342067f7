// IEEE 802.11 frames, and the headers that radio drivers put before them.

extension PacketCursor {
    /// Passes the header of a wireless link type; `nil` for any other type.
    mutating func passWireless(_ type: LinkType, in bytes: RawSpan) -> Bool? {
        switch type {
        case .ieee80211: return pass(0, to: .ieee80211(isPadded: false), in: bytes)
        case .ieee80211Radiotap: return passRadiotap(in: bytes)
        case .ieee80211Prism, .ieee80211AVS: return passPrism(in: bytes)
        case .ppi: return passPPI(in: bytes)
        default: return nil
        }
    }

    /// version(1) pad(1) length(2) present(4 …) fields; all least significant byte first.
    ///
    /// The flags field is the second one; before it there may be a time stamp of eight bytes, aligned to eight.
    ///
    /// - Source: radiotap.org, "Radiotap" and its fields TSFT and Flags.
    private mutating func passRadiotap(in bytes: RawSpan) -> Bool {
        guard has(8, in: bytes), bytes.byte(offset) == 0 else { return false }
        let length = Int(bytes.littleEndian16(offset + 2))
        guard length >= 8, has(length, in: bytes) else { return false }
        let present = bytes.littleEndian32(offset + 4)
        var field = 8
        var word = present
        while word & 0x8000_0000 != 0, field + 4 <= length {
            word = bytes.littleEndian32(offset + field)
            field += 4
        }
        if present & 1 != 0 { field = ((field + 7) & ~7) + 8 }
        let flags = present & 2 != 0 && field < length ? bytes.byte(offset + field) : 0
        // A frame whose check sequence is wrong was not received by anybody: its bytes are not to be trusted.
        guard flags & 0x40 == 0 else { return false }
        return pass(length, to: .ieee80211(isPadded: flags & 0x20 != 0), in: bytes)
    }

    /// code(4) length(4) …, in the byte order of the capturing machine; or AVS, told by its magic, most significant byte first.
    private mutating func passPrism(in bytes: RawSpan) -> Bool {
        guard has(8, in: bytes) else { return false }
        let isAVS = bytes.bigEndian32(offset) >> 12 == 0x8021_1
        let little = Int(bytes.littleEndian32(offset + 4))
        let big = Int(bytes.bigEndian32(offset + 4))
        return pass(isAVS ? big : min(little, big), to: .ieee80211(isPadded: false), in: bytes)
    }

    /// version(1) flags(1) length(2) link type(4) fields; all least significant byte first.
    ///
    /// - Source: "Per-Packet Information Header Specification", version 1.0.7.
    private mutating func passPPI(in bytes: RawSpan) -> Bool {
        guard has(8, in: bytes) else { return false }
        let length = Int(bytes.littleEndian16(offset + 2))
        let inner = bytes.littleEndian32(offset + 4)
        guard length >= 8, inner <= UInt16.max, inner != LinkType.ppi.rawValue else { return false }
        return pass(length, to: .link(LinkType(rawValue: UInt16(inner))), in: bytes)
    }

    /// What a data frame leads to.
    enum DataFrame {
        /// The cursor stands behind the header.
        case passed
        /// The body is encrypted.
        case encrypted
        /// No data, or a fragment that does not hold the start of them.
        case none
    }

    /// frame control(2) duration(2) addresses(18) sequence control(2), perhaps a fourth address(6), QoS(2) and HT control(4).
    ///
    /// - Source: IEEE 802.11 §9.2.4 and §9.3.2.1.
    mutating func passDataFrame(isPadded: Bool, in bytes: RawSpan) -> DataFrame {
        guard has(24, in: bytes) else { return .none }
        let control = bytes.byte(offset)
        let flags = bytes.byte(offset + 1)
        // Version 0, type 2 (data); subtypes with 0x40 carry none.
        guard control & 0x0F == 0x08, control & 0x40 == 0 else { return .none }
        if flags & 0x40 != 0 { return .encrypted }
        guard bytes.byte(offset + 22) & 0x0F == 0 else { return .none }
        var length = flags & 0x03 == 0x03 ? 30 : 24
        var isAggregated = false
        if control & 0x80 != 0 {
            guard has(length + 2, in: bytes) else { return .none }
            isAggregated = bytes.byte(offset + length) & 0x80 != 0
            length += flags & 0x80 == 0 ? 2 : 6
        }
        if isPadded { length = (length + 3) & ~3 }
        let next = isAggregated ? Layer.aggregatedSubframe : .logicalLinkControl
        return pass(length, to: next, in: bytes) ? .passed : .none
    }

    /// destination(6) source(6) length(2), the frame, filled up to 32 bits.
    ///
    /// Returns where the next subframe starts; `nil` where this one is the last.
    ///
    /// - Source: IEEE 802.11 §9.3.2.2.
    mutating func passSubframe(in bytes: RawSpan) -> PacketCursor? {
        let length = Int(bytes.bigEndian16(offset + 12))
        let next = PacketCursor(layer: layer, offset: offset + ((14 + length + 3) & ~3), end: end)
        end = min(end, offset + 14 + length)
        return pass(14, to: .logicalLinkControl, in: bytes) && next.has(14, in: bytes) ? next : nil
    }
}
