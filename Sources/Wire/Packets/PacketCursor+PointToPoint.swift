// PPP and its kin: HDLC in Cisco's framing, frame relay, L2TP.

extension PacketCursor {
    /// A byte before the frame says its direction: instead of the address byte in what pppd logs, before it otherwise.
    mutating func passPPPDirection(_ type: LinkType, in bytes: RawSpan) -> Bool {
        guard type == .pppWithDirection || type == .pppPPPD else { return pass(0, to: .ppp, in: bytes) }
        guard has(2, in: bytes) else { return false }
        let replacesAddress = type == .pppPPPD && bytes.byte(offset + 1) == 0x03
        return pass(replacesAddress ? 2 : 1, to: .ppp, in: bytes)
    }

    /// address 0xFF and control 0x03, unless compressed away, then a protocol of two bytes, or of one whose lowest bit is set.
    ///
    /// - Source: RFC 1661 §2 and §6.5; RFC 1662 §3.1.
    mutating func passPPP(in bytes: RawSpan) -> Bool {
        if has(2, in: bytes), bytes.bigEndian16(offset) == 0xFF03 { offset += 2 }
        guard has(2, in: bytes) else { return false }
        let isCompressed = bytes.byte(offset) & 1 == 1
        let number = isCompressed ? UInt16(bytes.byte(offset)) : bytes.bigEndian16(offset)
        let length = isCompressed ? 1 : 2
        switch number {
        case 0x0021, 0x0057: return pass(length, to: .internet, in: bytes)
        case 0x0281, 0x0283: return pass(length, to: .mpls, in: bytes)
        case 0x0031: return passBridgedPPP(behind: length, in: bytes)
        case 0x003D: return passMultilink(behind: length, in: bytes)
        default: return false
        }
    }

    /// flags and pads(1) MAC type(1), of which 1 is Ethernet; perhaps the network before it.
    ///
    /// - Source: RFC 3518 §4.2.
    private mutating func passBridgedPPP(behind length: Int, in bytes: RawSpan) -> Bool {
        guard has(length + 2, in: bytes), bytes.byte(offset + length + 1) == 1 else { return false }
        return pass(length + 2 + (bytes.byte(offset + length) & 0x40 == 0 ? 0 : 4), to: .ethernet, in: bytes)
    }

    /// Passes the header of a packet that was not cut into fragments: both its first bits are set.
    ///
    /// - Source: RFC 1990 §3.
    private mutating func passMultilink(behind length: Int, in bytes: RawSpan) -> Bool {
        guard has(length + 4, in: bytes), bytes.byte(offset + length) & 0xC0 == 0xC0 else { return false }
        return pass(length + 4, to: .ppp, in: bytes)
    }

    /// address(1) control(1) EtherType(2); some files of this type hold PPP.
    ///
    /// - Source: RFC 1547 §4.3.1, and the pages about LINKTYPE_C_HDLC.
    mutating func passCiscoHDLC(in bytes: RawSpan) -> Bool {
        guard has(4, in: bytes) else { return false }
        if bytes.bigEndian16(offset) == 0xFF03 { return pass(0, to: .ppp, in: bytes) }
        let type = bytes.bigEndian16(offset + 2)
        if type == 0xFEFE { return pass(4, to: .networkLayerProtocol, in: bytes) }
        return type > 1500 && pass(4, to: .etherType(type), in: bytes)
    }

    /// An address of two to four bytes, of which the last has its lowest bit set; then RFC 2427's control byte, or Cisco's
    /// EtherType.
    ///
    /// - Source: RFC 2427 §3; ITU-T Q.922 §3.3.
    mutating func passFrameRelay(in bytes: RawSpan) -> Bool {
        var length = 1
        while length <= 4, has(length, in: bytes), bytes.byte(offset + length - 1) & 1 == 0 { length += 1 }
        guard (2...4).contains(length), has(length + 2, in: bytes) else { return false }
        if bytes.byte(offset + length) == 3 { return pass(length + 1, to: .networkLayerProtocol, in: bytes) }
        let type = bytes.bigEndian16(offset + length)
        return type > 1500 && pass(length + 2, to: .etherType(type), in: bytes)
    }

    /// flags and version(2), then as the flags say: length(2), tunnel(2) session(2), sequence numbers(4), an offset(2 + n); PPP.
    ///
    /// - Source: RFC 2661 §3.1.
    mutating func passL2TP(in bytes: RawSpan) -> Bool {
        guard has(6, in: bytes) else { return false }
        let flags = bytes.bigEndian16(offset)
        guard flags & 0x800F == 2 else { return false }
        var length = 6 + (flags & 0x4000 == 0 ? 0 : 2) + (flags & 0x0800 == 0 ? 0 : 4)
        if flags & 0x0200 != 0 {
            guard has(length + 2, in: bytes) else { return false }
            length += 2 + Int(bytes.bigEndian16(offset + length))
        }
        return pass(length, to: .ppp, in: bytes)
    }
}
