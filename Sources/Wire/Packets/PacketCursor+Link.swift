// The headers of wired links, and what an EtherType leads to.

extension PacketCursor {
    /// Passes the header of a link type; `nil` where the type is not read, `false` where the frame holds nothing to go on with.
    ///
    /// - Source: the LINKTYPE_ values registered with tcpdump.org, and the pages that describe them.
    mutating func passLink(_ type: LinkType, in bytes: RawSpan) -> Bool? {
        switch type {
        case .ethernet: return pass(0, to: .ethernet, in: bytes)
        case .null, .loop: return passAddressFamily(in: bytes)
        case .raw, .rawBSD, .rawOpenBSD, .ipv4, .ipv6: return pass(0, to: .internet, in: bytes)
        case .linuxSLL: return passCooked(in: bytes, protocolAt: 14, hardwareAt: 2, length: 16)
        case .linuxSLL2: return passCooked(in: bytes, protocolAt: 0, hardwareAt: 8, length: 20)
        case .ppp, .pppHDLC, .pppWithDirection, .pppPPPD: return passPPPDirection(type, in: bytes)
        case .pppoe: return pass(0, to: .etherType(EtherType.pppoeSession), in: bytes)
        case .ciscoHDLC: return passCiscoHDLC(in: bytes)
        case .ciscoHDLCWithDirection: return pass(1, to: layer, in: bytes) && passCiscoHDLC(in: bytes)
        case .frameRelay: return passFrameRelay(in: bytes)
        case .frameRelayWithDirection: return pass(1, to: layer, in: bytes) && passFrameRelay(in: bytes)
        case .slip: return pass(16, to: .internet, in: bytes)
        case .tokenRing: return passTokenRing(in: bytes)
        case .arcnet: return passARCNET(typeAt: 2, in: bytes)
        case .arcnetLinux: return passARCNET(typeAt: 4, in: bytes)
        case .fddi: return pass(13, to: .logicalLinkControl, in: bytes)
        case .atmRFC1483: return pass(0, to: .logicalLinkControl, in: bytes)
        case .sunATM: return passSunATM(in: bytes)
        case .openBSDEncapsulation: return pass(12, to: .internet, in: bytes)
        case .openBSDFilterLog: return passFilterLog(in: bytes)
        case .appleIPOverIEEE1394:
            guard has(18, in: bytes) else { return false }
            return pass(18, to: .etherType(bytes.bigEndian16(offset + 16)), in: bytes)
        case .ipnet: return pass(24, to: .internet, in: bytes)
        case .nflog: return passNFLOG(in: bytes)
        case .netAnalyzer: return pass(4, to: .ethernet, in: bytes)
        // The transparent form keeps the preamble and the start of frame delimiter.
        case .netAnalyzerTransparent: return pass(12, to: .ethernet, in: bytes)
        case .broadcomSwitchTag, .marvellSwitchTag: return passSwitchTag(4, in: bytes)
        case .marvellSwitchTagWithType: return passSwitchTag(8, in: bytes)
        case .broadcomSwitchTagFirst: return pass(4, to: .ethernet, in: bytes)
        case .juniperEthernet: return passJuniper(to: .ethernet, in: bytes)
        case .juniperPPP: return passJuniper(to: .ppp, in: bytes)
        case .juniperFrameRelay: return passJuniper(to: .link(.frameRelay), in: bytes)
        case .juniperCiscoHDLC: return passJuniper(to: .link(.ciscoHDLC), in: bytes)
        default: return passWireless(type, in: bytes)
        }
    }

    /// The family's number for IPv6 differs from system to system, and its byte order is that of the capturing machine: the
    /// version in the IP header says the same without guessing.
    private mutating func passAddressFamily(in bytes: RawSpan) -> Bool {
        guard has(4, in: bytes) else { return false }
        let stored = bytes.bigEndian32(offset)
        switch stored > 0xFFFF ? stored.byteSwapped : stored {
        case 2, 10, 23, 24, 26, 28, 30: return pass(4, to: .internet, in: bytes)
        default: return false
        }
    }

    /// Linux cooked capture: the protocol is an EtherType, or a number below 0x0600 for frames that have none.
    private mutating func passCooked(in bytes: RawSpan, protocolAt: Int, hardwareAt: Int, length: Int) -> Bool {
        guard has(length, in: bytes) else { return false }
        let type = bytes.bigEndian16(offset + protocolAt)
        let hardware = bytes.bigEndian16(offset + hardwareAt)
        switch (hardware, type) {
        case (801, _): return pass(length, to: .ieee80211(isPadded: false), in: bytes)
        case (803, _): return pass(length, to: .link(.ieee80211Radiotap), in: bytes)
        case (_, 4): return pass(length, to: .logicalLinkControl, in: bytes)
        default: return pass(length, to: .etherType(type), in: bytes)
        }
    }

    /// access control(1) frame control(1) destination(6) source(6), and routing where the source's top bit says so.
    private mutating func passTokenRing(in bytes: RawSpan) -> Bool {
        guard has(15, in: bytes) else { return false }
        let isRouted = bytes.byte(offset + 8) & 0x80 != 0
        return pass(14 + (isRouted ? Int(bytes.byte(offset + 14) & 0x1F) : 0), to: .logicalLinkControl, in: bytes)
    }

    /// source(1) destination(1) type(1), and in all but the oldest form a flag(1) and a sequence number(2).
    ///
    /// Linux has two bytes before the type. A flag of 0xFF means four bytes more.
    ///
    /// - Source: RFC 1201 §2; RFC 1051.
    private mutating func passARCNET(typeAt: Int, in bytes: RawSpan) -> Bool {
        guard has(typeAt + 2, in: bytes) else { return false }
        switch bytes.byte(offset + typeAt) {
        case 240: return pass(typeAt + 1, to: .internet, in: bytes)
        case 212, 196:
            let flag = bytes.byte(offset + typeAt + 1)
            // Any other flag means a part of a packet.
            guard flag == 0 || flag == 0xFF else { return false }
            return pass(typeAt + (flag == 0 ? 4 : 8), to: .internet, in: bytes)
        default: return false
        }
    }

    /// flags(1) VPI(1) VCI(2); the lower half of the flags says what the circuit carries, 2 for LLC.
    private mutating func passSunATM(in bytes: RawSpan) -> Bool {
        guard has(4, in: bytes), bytes.byte(offset) & 0x0F == 2 else { return false }
        return pass(4, to: .logicalLinkControl, in: bytes)
    }

    /// length(1) …; the header is filled up to 32 bits.
    private mutating func passFilterLog(in bytes: RawSpan) -> Bool {
        guard has(1, in: bytes) else { return false }
        return pass((Int(bytes.byte(offset)) + 3) & ~3, to: .internet, in: bytes)
    }

    /// Two addresses, a switch's own tag of `count` bytes, and the EtherType.
    private mutating func passSwitchTag(_ count: Int, in bytes: RawSpan) -> Bool {
        guard has(14 + count, in: bytes) else { return false }
        return pass(14 + count, to: .etherType(bytes.bigEndian16(offset + 12 + count)), in: bytes)
    }

    /// magic(3) flags(1), perhaps a length(2) and that many bytes of extensions; then the frame, or four bytes and the IP packet.
    private mutating func passJuniper(to frame: Layer, in bytes: RawSpan) -> Bool {
        guard has(6, in: bytes), bytes.bigEndian32(offset) >> 8 == 0x4D_4743 else { return false }
        let flags = bytes.byte(offset + 3)
        let length = flags & 0x80 == 0 ? 4 : 6 + Int(bytes.bigEndian16(offset + 4))
        return flags & 0x02 == 0 ? pass(length, to: frame, in: bytes) : pass(length + 4, to: .internet, in: bytes)
    }

    /// family(1) version(1) resource(2), then attributes: length(2) type(2) value, filled up to 32 bits.
    ///
    /// Attributes are in the byte order of the capturing machine: whichever gives the first one a length that can be.
    private mutating func passNFLOG(in bytes: RawSpan) -> Bool {
        guard has(8, in: bytes) else { return false }
        offset += 4
        let isLittleEndian = (4...(bytes.byteCount - offset)).contains(Int(bytes.littleEndian16(offset)))
        while has(4, in: bytes) {
            let length = Int(isLittleEndian ? bytes.littleEndian16(offset) : bytes.bigEndian16(offset))
            let type = isLittleEndian ? bytes.littleEndian16(offset + 2) : bytes.bigEndian16(offset + 2)
            guard length >= 4 else { return false }
            // NFULA_PAYLOAD is the packet.
            if type == 9 { return pass(4, to: .internet, in: bytes) }
            offset += (length + 3) & ~3
        }
        return false
    }
}

// MARK: - Ethernet

/// The EtherTypes that lead on to an IP packet.
enum EtherType {
    static let ipv4: UInt16 = 0x0800
    static let ipv6: UInt16 = 0x86DD
    static let pppoeSession: UInt16 = 0x8864

    /// IEEE 802.1Q and 802.1ad tags, and what came before the latter was registered.
    static func isTag(_ type: UInt16) -> Bool {
        type == 0x8100 || type == 0x88A8 || type == 0x9100 || type == 0x9200 || type == 0x9300
    }

    /// Whether an EtherType is one that `PacketCursor` can pass, or an IEEE 802.3 length.
    static func isRead(_ type: UInt16) -> Bool {
        if isTag(type) || type <= 1500 { return true }
        switch type {
        case ipv4, ipv6, pppoeSession, 0x0806, 0x6558, 0x8847, 0x8848, 0x880B, 0x883E, 0x88E5, 0x88E7, 0x8926, 0x893F,
            0x894F:
            return true
        default: return false
        }
    }
}

extension PacketCursor {
    mutating func passEthernet(in bytes: RawSpan) -> Bool {
        guard has(14, in: bytes) else { return false }
        // Cisco's ISL puts 26 bytes before the frame, told by the address that it is sent to.
        let destination = bytes.bigEndian32(offset)
        if destination == 0x0100_0C00 || destination == 0x0300_0C00, bytes.byte(offset + 4) == 0 {
            return pass(26, to: .ethernet, in: bytes)
        }
        return pass(14, to: .etherType(bytes.bigEndian16(offset + 12)), in: bytes)
    }

    /// Goes on from an EtherType, whose own header, if any, starts here.
    mutating func passEtherType(_ type: UInt16, in bytes: RawSpan) -> Bool {
        if EtherType.isTag(type) { return passTag(2, in: bytes) }
        switch type {
        case EtherType.ipv4, EtherType.ipv6: return pass(0, to: .internet, in: bytes)
        case 0...1500: return pass(0, to: .logicalLinkControl, in: bytes)
        case EtherType.pppoeSession: return passPPPoE(in: bytes)
        case 0x8847, 0x8848: return pass(0, to: .mpls, in: bytes)
        // Transparent Ethernet bridging.
        case 0x6558: return pass(0, to: .ethernet, in: bytes)
        case 0x880B: return pass(0, to: .ppp, in: bytes)
        // WCCP redirection, behind GRE.
        case 0x883E: return passWCCP(in: bytes)
        // IEEE 802.1ah, VN-Tag, IEEE 802.1BR.
        case 0x88E7: return pass(4, to: .ethernet, in: bytes)
        case 0x8926: return passTag(4, in: bytes)
        case 0x893F: return passTag(6, in: bytes)
        case 0x88E5: return passMACsec(in: bytes)
        case 0x894F: return passServiceHeader(in: bytes)
        default: return false
        }
    }

    /// `count` bytes of tag, then the EtherType of what is tagged.
    private mutating func passTag(_ count: Int, in bytes: RawSpan) -> Bool {
        guard has(count + 2, in: bytes) else { return false }
        return pass(count + 2, to: .etherType(bytes.bigEndian16(offset + count)), in: bytes)
    }

    /// version, type(1) code(1) session(2) length(2), then PPP without address and control.
    ///
    /// - Source: RFC 2516 §4.
    private mutating func passPPPoE(in bytes: RawSpan) -> Bool {
        guard has(6, in: bytes), bytes.byte(offset + 1) == 0 else { return false }
        return pass(6, to: .ppp, in: bytes)
    }

    /// Version 2 has a header of four bytes before the IP packet, version 1 none.
    private mutating func passWCCP(in bytes: RawSpan) -> Bool {
        guard has(1, in: bytes) else { return false }
        return pass(bytes.byte(offset) >> 4 == 4 ? 0 : 4, to: .internet, in: bytes)
    }

    /// tag control(1) short length(1) packet number(4), perhaps a channel identifier(8); read where it only authenticates.
    ///
    /// - Source: IEEE 802.1AE §9.3; the bits E (0x08), C (0x04) and SC (0x20).
    private mutating func passMACsec(in bytes: RawSpan) -> Bool {
        guard has(6, in: bytes), bytes.byte(offset) & 0x0C == 0 else { return false }
        return passTag(bytes.byte(offset) & 0x20 == 0 ? 6 : 14, in: bytes)
    }

    /// flags and length(2) metadata type(1) next protocol(1) path(4) …; the length counts 32-bit words.
    ///
    /// - Source: RFC 8300 §2.2.
    mutating func passServiceHeader(in bytes: RawSpan) -> Bool {
        guard has(8, in: bytes) else { return false }
        let length = Int(bytes.byte(offset + 1) & 0x3F) * 4
        guard length >= 8 else { return false }
        switch bytes.byte(offset + 3) {
        case 1, 2: return pass(length, to: .internet, in: bytes)
        case 3: return pass(length, to: .ethernet, in: bytes)
        case 5: return pass(length, to: .mpls, in: bytes)
        default: return false
        }
    }
}

// MARK: - IEEE 802.2

extension PacketCursor {
    /// destination and source access points(2) control(1), and with SNAP an organisation(3) and its protocol(2).
    ///
    /// - Source: IEEE 802.2; RFC 1042; RFC 2684 §5.1.
    mutating func passLogicalLinkControl(in bytes: RawSpan) -> Bool {
        guard has(3, in: bytes), bytes.byte(offset + 2) == 3 else { return false }
        switch bytes.bigEndian16(offset) {
        case 0xAAAA: return pass(3, to: layer, in: bytes) && passSNAP(in: bytes)
        case 0x0606: return pass(3, to: .internet, in: bytes)
        case 0xFEFE: return pass(3, to: .networkLayerProtocol, in: bytes)
        default: return false
        }
    }

    /// organisation(3) protocol(2).
    mutating func passSNAP(in bytes: RawSpan) -> Bool {
        guard has(5, in: bytes) else { return false }
        let type = bytes.bigEndian16(offset + 3)
        switch bytes.bigEndian32(offset) >> 8 {
        // The second one is Apple's, or that of IEEE 802.1H bridges.
        case 0x00_0000, 0x00_00F8: return type > 1500 && pass(5, to: .etherType(type), in: bytes)
        case 0x00_80C2:
            // A bridged Ethernet frame, behind two bytes of padding where it comes over ATM.
            guard type == 1 || type == 7, has(21, in: bytes) else { return false }
            let isPadded = bytes.bigEndian16(offset + 5) == 0 && EtherType.isRead(bytes.bigEndian16(offset + 19))
            return pass(isPadded ? 7 : 5, to: .ethernet, in: bytes)
        default: return false
        }
    }

    /// - Source: RFC 2427 §3 and its appendix; ISO/IEC TR 9577.
    mutating func passNetworkLayerProtocol(in bytes: RawSpan) -> Bool {
        guard has(1, in: bytes) else { return false }
        switch bytes.byte(offset) {
        case 0xCC, 0x8E: return pass(1, to: .internet, in: bytes)
        case 0x80: return pass(1, to: layer, in: bytes) && passSNAP(in: bytes)
        case 0xCF: return pass(1, to: .ppp, in: bytes)
        // Padding.
        case 0x00: return pass(1, to: .networkLayerProtocol, in: bytes)
        default: return false
        }
    }
}
