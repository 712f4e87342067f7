// Tunnels: what lies behind MPLS labels, GRE headers, and the UDP ports that tunnels are known by.

extension PacketCursor {
    /// label, class, bottom of stack, lifetime(4) again and again; nothing says what follows the last one.
    ///
    /// An IP packet starts with its version, a pseudowire's control word with 0 (RFC 4928 §3). An Ethernet frame without a
    /// control word may start with anything, and is told by its EtherType.
    ///
    /// - Source: RFC 3032 §2.1; RFC 4448 §4.6.
    mutating func passMPLS(in bytes: RawSpan) -> Bool {
        var isBottom = false
        while !isBottom {
            guard has(4, in: bytes) else { return false }
            isBottom = bytes.byte(offset + 2) & 1 == 1
            offset += 4
        }
        guard has(20, in: bytes) else { return false }
        switch bytes.byte(offset) >> 4 {
        case 4:
            // 45 cannot start the address of one station: its lowest bit says that it is a group's.
            let isFrame = bytes.byte(offset) & 1 == 0 && startsFrame(at: offset, in: bytes)
            return pass(0, to: isFrame ? .ethernet : .internet, in: bytes)
        case 6:
            let fills = offset + 40 + Int(bytes.bigEndian16(offset + 4)) == end
            return pass(0, to: fills || !startsFrame(at: offset, in: bytes) ? .internet : .ethernet, in: bytes)
        case 0 where startsFrame(at: offset + 4, in: bytes): return pass(4, to: .ethernet, in: bytes)
        default: return startsFrame(at: offset, in: bytes) && pass(0, to: .ethernet, in: bytes)
        }
    }

    /// Whether an Ethernet frame that is read may start at a place, by the EtherType that it would have.
    private func startsFrame(at start: Int, in bytes: RawSpan) -> Bool {
        guard bytes.byteCount >= start + 14 else { return false }
        let type = bytes.bigEndian16(start + 12)
        return type > 1500 && EtherType.isRead(type)
    }

    /// flags and version(2) protocol(2), then as the flags say: checksum and offset(4), key(4), sequence number(4), routes.
    ///
    /// - Source: RFC 2784 §2; RFC 2890 §2; RFC 1701; RFC 2637 §4.1 (version 1).
    mutating func passGRE(in bytes: RawSpan) -> Bool {
        guard has(4, in: bytes) else { return false }
        let flags = bytes.bigEndian16(offset)
        let type = bytes.bigEndian16(offset + 2)
        let hasSequence = flags & 0x1000 != 0
        var length = 4 + (flags & 0xC000 == 0 ? 0 : 4) + (flags & 0x2000 == 0 ? 0 : 4) + (hasSequence ? 4 : 0)
        if flags & 0x0007 == 1 { length += flags & 0x0080 == 0 ? 0 : 4 }
        guard flags & 0x0007 <= 1, pass(length, to: layer, in: bytes) else { return false }
        if flags & 0x4000 != 0 { guard passSourceRoutes(in: bytes) else { return false } }
        switch type {
        // ERSPAN: the first version has no header of its own, and shows it by the missing sequence number.
        case 0x88BE: return pass(hasSequence ? 8 : 0, to: .ethernet, in: bytes)
        case 0x22EB: return passERSPANIII(in: bytes)
        // A length would mean LLC, which GRE does not carry.
        default: return type > 1500 && pass(0, to: .etherType(type), in: bytes)
        }
    }

    /// address family(2) offset(1) length(1) route, up to an entry of length 0.
    ///
    /// - Source: RFC 1701, "Source Route Entries".
    private mutating func passSourceRoutes(in bytes: RawSpan) -> Bool {
        while has(4, in: bytes) {
            let length = Int(bytes.byte(offset + 3))
            offset += 4 + length
            if length == 0 { return true }
        }
        return false
    }

    /// Twelve bytes, of which the last bit says that eight of a platform's own follow; the frame type is 0 for Ethernet, 2 for IP.
    ///
    /// - Source: draft-foschiano-erspan §4.3.
    private mutating func passERSPANIII(in bytes: RawSpan) -> Bool {
        guard has(12, in: bytes) else { return false }
        let isInternet = bytes.byte(offset + 10) >> 2 & 0x1F == 2
        return pass(bytes.byte(offset + 11) & 1 == 0 ? 12 : 20, to: isInternet ? .internet : .ethernet, in: bytes)
    }
}

// MARK: - Over UDP

/// The UDP ports that tunnels are known by.
///
/// - Source: the IANA registry of service names and port numbers; two that were used without registration.
enum TunnelPort {
    static let l2tp: UInt16 = 1701
    static let gtp: UInt16 = 2152
    static let teredo: UInt16 = 3544
    static let lisp: UInt16 = 4341
    static let gre: UInt16 = 4754
    static let vxlan: UInt16 = 4789
    static let vxlanGPE: UInt16 = 4790
    static let ayiya: UInt16 = 5072
    static let geneve: UInt16 = 6081
    static let mpls: UInt16 = 6635
    /// What Linux used before the registration.
    static let vxlanOfLinux: UInt16 = 8472
    static let tzsp: UInt16 = 37008

    /// Whether a port is a tunnel's.
    @inline(__always)
    static func isRead(_ port: UInt16) -> Bool {
        switch port {
        case l2tp, gtp, teredo, lisp, gre, vxlan, vxlanGPE, ayiya, geneve, mpls, vxlanOfLinux, tzsp: true
        default: false
        }
    }
}

extension PacketCursor {
    /// source port(2) destination port(2) length(2) checksum(2), then a tunnel's header, where a port is that of a tunnel.
    ///
    /// - Source: RFC 768.
    mutating func passUDP(in bytes: RawSpan) -> Bool {
        guard has(8, in: bytes) else { return false }
        let source = bytes.bigEndian16(offset)
        let destination = bytes.bigEndian16(offset + 2)
        offset += 8
        return passTunnel(port: destination, in: bytes) || passTunnel(port: source, in: bytes)
    }

    /// Passes the header of the tunnel that a port belongs to; leaves the cursor alone otherwise.
    private mutating func passTunnel(port: UInt16, in bytes: RawSpan) -> Bool {
        let start = self
        let isPassed =
            switch port {
            case TunnelPort.vxlan, TunnelPort.vxlanOfLinux: passVXLAN(in: bytes)
            case TunnelPort.vxlanGPE: passVXLANGPE(in: bytes)
            case TunnelPort.geneve: passGeneve(in: bytes)
            case TunnelPort.gtp: passGTP(in: bytes)
            case TunnelPort.teredo: passTeredo(in: bytes)
            case TunnelPort.l2tp: passL2TP(in: bytes)
            case TunnelPort.mpls: pass(0, to: .mpls, in: bytes)
            case TunnelPort.gre: passGRE(in: bytes)
            case TunnelPort.lisp: pass(8, to: .internet, in: bytes)
            case TunnelPort.ayiya: passAYIYA(in: bytes)
            case TunnelPort.tzsp: passTZSP(in: bytes)
            default: false
            }
        if !isPassed { self = start }
        return isPassed
    }

    /// flags(1) reserved(3) network identifier(3) reserved(1).
    ///
    /// - Source: RFC 7348 §5.
    private mutating func passVXLAN(in bytes: RawSpan) -> Bool {
        guard has(8, in: bytes), bytes.byte(offset) & 0x08 != 0 else { return false }
        return pass(8, to: .ethernet, in: bytes)
    }

    /// flags(1) reserved(2) next protocol(1) network identifier(3) reserved(1).
    ///
    /// - Source: draft-ietf-nvo3-vxlan-gpe §3.2.
    private mutating func passVXLANGPE(in bytes: RawSpan) -> Bool {
        guard has(8, in: bytes) else { return false }
        guard bytes.byte(offset) & 0x04 != 0 else { return passVXLAN(in: bytes) }
        switch bytes.byte(offset + 3) {
        case 1, 2: return pass(8, to: .internet, in: bytes)
        case 3: return pass(8, to: .ethernet, in: bytes)
        case 4: return pass(8, to: layer, in: bytes) && passServiceHeader(in: bytes)
        case 5: return pass(8, to: .mpls, in: bytes)
        default: return false
        }
    }

    /// version and length of options(1) flags(1) EtherType(2) network identifier(3) reserved(1) options.
    ///
    /// - Source: RFC 8926 §3.4.
    private mutating func passGeneve(in bytes: RawSpan) -> Bool {
        guard has(8, in: bytes), bytes.byte(offset) >> 6 == 0 else { return false }
        let length = 8 + Int(bytes.byte(offset) & 0x3F) * 4
        return pass(length, to: .etherType(bytes.bigEndian16(offset + 2)), in: bytes)
    }

    /// flags(1) message type(1) length(2) tunnel(4), perhaps sequence number(2) N-PDU(1) next extension(1), and extensions.
    ///
    /// - Source: 3GPP TS 29.281 §5.1 and §5.2.
    private mutating func passGTP(in bytes: RawSpan) -> Bool {
        guard has(8, in: bytes), bytes.byte(offset) & 0xF0 == 0x30, bytes.byte(offset + 1) == 255 else { return false }
        let flags = bytes.byte(offset)
        guard flags & 0x07 != 0 else { return pass(8, to: .internet, in: bytes) }
        guard has(12, in: bytes) else { return false }
        var next = flags & 0x04 == 0 ? 0 : bytes.byte(offset + 11)
        offset += 12
        while next != 0 {
            guard has(1, in: bytes) else { return false }
            let length = Int(bytes.byte(offset)) * 4
            guard length >= 4, has(length, in: bytes) else { return false }
            next = bytes.byte(offset + length - 1)
            offset += length
        }
        return pass(0, to: .internet, in: bytes)
    }

    /// Perhaps an authentication header and an origin indication, then an IPv6 packet.
    ///
    /// - Source: RFC 4380 §5.1.1.
    private mutating func passTeredo(in bytes: RawSpan) -> Bool {
        if has(4, in: bytes), bytes.bigEndian16(offset) == 0x0001 {
            offset += 13 + Int(bytes.byte(offset + 2)) + Int(bytes.byte(offset + 3))
        }
        if has(8, in: bytes), bytes.bigEndian16(offset) == 0 { offset += 8 }
        guard has(1, in: bytes), bytes.byte(offset) >> 4 == 6 else { return false }
        return pass(0, to: .internet, in: bytes)
    }

    /// identity's length(4 bits) and type(4 bits), signature's length in words(4 bits) and method(4 bits), authentication(4 bits)
    /// and operation(4 bits), next header(1) time(4) identity signature; operation 1 forwards.
    ///
    /// - Source: draft-massar-v6ops-ayiya §3.
    private mutating func passAYIYA(in bytes: RawSpan) -> Bool {
        guard has(8, in: bytes), bytes.byte(offset + 2) & 0x0F == 1 else { return false }
        let identity = 1 << Int(bytes.byte(offset) >> 4)
        let signature = Int(bytes.byte(offset + 1) >> 4) * 4
        return pass(8 + identity + signature, to: .ipProtocol(bytes.byte(offset + 3)), in: bytes)
    }

    /// version(1) type(1) protocol(2) tags: type(1) length(1) value, of which 0 fills and 1 ends.
    ///
    /// The protocol is 1 for Ethernet, 18 for IEEE 802.11, 119 and 126 for it with a Prism or AVS header.
    ///
    /// - Source: "TaZmen Sniffer Protocol", revision of 2002.
    private mutating func passTZSP(in bytes: RawSpan) -> Bool {
        guard has(5, in: bytes), bytes.byte(offset) == 1, bytes.byte(offset + 1) <= 1 else { return false }
        let type = bytes.bigEndian16(offset + 2)
        offset += 4
        while has(1, in: bytes), bytes.byte(offset) != 1 {
            guard bytes.byte(offset) != 0 else {
                offset += 1
                continue
            }
            guard has(2, in: bytes) else { return false }
            offset += 2 + Int(bytes.byte(offset + 1))
        }
        switch type {
        case 1: return pass(1, to: .ethernet, in: bytes)
        case 18: return pass(1, to: .ieee80211(isPadded: false), in: bytes)
        case 119, 126: return pass(1, to: .link(.ieee80211Prism), in: bytes)
        default: return false
        }
    }
}
