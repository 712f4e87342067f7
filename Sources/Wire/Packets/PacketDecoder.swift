/// Stage 2: finds the TCP segment in a captured frame, through link, VLAN, PPPoE and IP headers.
///
/// Anything else (other protocols, damaged headers) is no segment and passes silently, except for what this version should read and
/// does not: frames of unknown link types and fragments of IP datagrams are counted.
struct PacketDecoder {
    /// The frames of link types that are not read.
    private(set) var unsupported: [(linkType: LinkType, frames: Int, first: Int)] = []

    /// How many packets were IP fragments behind the first of their datagram, and the first such packet.
    private(set) var fragments: (count: Int, first: Int) = (0, 0)

    /// Forgets what was counted, so that the next file is counted alone.
    mutating func resetCounts() {
        unsupported = []
        fragments = (0, 0)
    }

    /// Fills `segment` from a frame; `false` where the frame holds none.
    @inline(__always)
    mutating func decode(_ bytes: RawSpan, of frame: CapturedFrame, into segment: inout TCPSegment) -> Bool {
        switch frame.linkType {
        case .ethernet:
            guard bytes.byteCount >= 14 else { return false }
            return decode(etherType: bytes.bigEndian16(12), at: 14, in: bytes, of: frame, into: &segment)
        case .linuxSLL:
            guard bytes.byteCount >= 16 else { return false }
            return decode(etherType: bytes.bigEndian16(14), at: 16, in: bytes, of: frame, into: &segment)
        case .linuxSLL2:
            guard bytes.byteCount >= 20 else { return false }
            return decode(etherType: bytes.bigEndian16(0), at: 20, in: bytes, of: frame, into: &segment)
        case .null, .loop:
            // The family is in the byte order of the capturing machine and its number for IPv6 differs from system to system:
            // the version in the IP header says the same without guessing.
            guard bytes.byteCount >= 4, isAddressFamily(bytes.bigEndian32(0)) else { return false }
            return decodeIP(at: 4, in: bytes, of: frame, into: &segment)
        case .raw, .rawBSD, .rawOpenBSD, .ipv4, .ipv6:
            return decodeIP(at: 0, in: bytes, of: frame, into: &segment)
        default:
            countUnsupported(frame)
            return false
        }
    }

    /// Whether a NULL or LOOP header names a family at all: one of AF_INET (2) and the AF_INET6 of various systems, in either order.
    private func isAddressFamily(_ stored: UInt32) -> Bool {
        let family = stored > 0xFFFF ? stored.byteSwapped : stored
        return [2, 10, 23, 24, 26, 28, 30].contains(family)
    }

    private mutating func countUnsupported(_ frame: CapturedFrame) {
        if let index = unsupported.firstIndex(where: { $0.linkType == frame.linkType }) {
            unsupported[index].frames += 1
        } else {
            unsupported.append((frame.linkType, 1, frame.number))
        }
    }
}

// MARK: - Link layer

extension PacketDecoder {
    private enum EtherType {
        static let ipv4: UInt16 = 0x0800
        static let ipv6: UInt16 = 0x86DD
        static let pppoeSession: UInt16 = 0x8864
        /// IEEE 802.1Q and 802.1ad tags, and what came before the latter was registered.
        static func isTag(_ type: UInt16) -> Bool {
            type == 0x8100 || type == 0x88A8 || type == 0x9100 || type == 0x9200
        }
    }

    /// Follows an EtherType through any number of VLAN tags (bounded by the frame) to an IP header.
    @inline(__always)
    private mutating func decode(
        etherType first: UInt16,
        at firstOffset: Int,
        in bytes: RawSpan,
        of frame: CapturedFrame,
        into segment: inout TCPSegment
    ) -> Bool {
        var type = first
        var offset = firstOffset
        while EtherType.isTag(type) {
            guard bytes.byteCount >= offset + 4 else { return false }
            type = bytes.bigEndian16(offset + 2)
            offset += 4
        }
        if type == EtherType.ipv4 || type == EtherType.ipv6 {
            return decodeIP(at: offset, in: bytes, of: frame, into: &segment)
        }
        if type == EtherType.pppoeSession { return decodePPPoE(at: offset, in: bytes, of: frame, into: &segment) }
        // A length instead of a type: IEEE 802.2 with a SNAP header (RFC 1042) holds the type.
        guard type <= 1500, bytes.byteCount >= offset + 8, bytes.bigEndian32(offset) == 0xAAAA_0300,
            bytes.bigEndian16(offset + 6) == EtherType.ipv4 || bytes.bigEndian16(offset + 6) == EtherType.ipv6
        else { return false }
        return decodeIP(at: offset + 8, in: bytes, of: frame, into: &segment)
    }

    /// version, type(1) code(1) session(2) length(2) PPP protocol(2).
    ///
    /// - Source: RFC 2516 §4.
    private mutating func decodePPPoE(
        at offset: Int,
        in bytes: RawSpan,
        of frame: CapturedFrame,
        into segment: inout TCPSegment
    ) -> Bool {
        guard bytes.byteCount >= offset + 8, [0x0021, 0x0057].contains(bytes.bigEndian16(offset + 6)) else {
            return false
        }
        return decodeIP(at: offset + 8, in: bytes, of: frame, into: &segment)
    }
}

// MARK: - Internet layer

extension PacketDecoder {
    private enum NextHeader {
        static let tcp: UInt8 = 6
        static let fragment: UInt8 = 44
        static let authentication: UInt8 = 51
        /// Hop-by-hop options, routing, destination options, mobility, HIP, shim6.
        static func isExtension(_ type: UInt8) -> Bool {
            type == 0 || type == 43 || type == 60 || type == 135 || type == 139 || type == 140
        }
    }

    @inline(__always)
    private mutating func decodeIP(
        at offset: Int,
        in bytes: RawSpan,
        of frame: CapturedFrame,
        into segment: inout TCPSegment
    ) -> Bool {
        guard offset < bytes.byteCount else { return false }
        switch bytes.byte(offset) >> 4 {
        case 4: return decodeIPv4(at: offset, in: bytes, of: frame, into: &segment)
        case 6: return decodeIPv6(at: offset, in: bytes, of: frame, into: &segment)
        default: return false
        }
    }

    /// - Source: RFC 791 §3.1.
    @inline(__always)
    private mutating func decodeIPv4(
        at offset: Int,
        in bytes: RawSpan,
        of frame: CapturedFrame,
        into segment: inout TCPSegment
    ) -> Bool {
        guard bytes.byteCount >= offset + 20, bytes.byte(offset + 9) == NextHeader.tcp else { return false }
        let headerLength = Int(bytes.byte(offset) & 0x0F) * 4
        guard headerLength >= 20 else { return false }
        if bytes.bigEndian16(offset + 6) & 0x1FFF != 0 {
            countFragment(frame)
            return false
        }
        segment.isIPv4 = true
        segment.sourceHigh = 0
        segment.sourceLow = UInt64(bytes.bigEndian32(offset + 12))
        segment.destinationHigh = 0
        segment.destinationLow = UInt64(bytes.bigEndian32(offset + 16))
        // The total length is zero where the segment was captured before segmentation offload filled it in.
        let totalLength = Int(bytes.bigEndian16(offset + 2))
        let end = totalLength == 0 ? frame.originalLength : min(frame.originalLength, offset + totalLength)
        return decodeTCP(at: offset + headerLength, end: end, in: bytes, into: &segment)
    }

    /// - Source: RFC 8200 §3 and §4.
    private mutating func decodeIPv6(
        at offset: Int,
        in bytes: RawSpan,
        of frame: CapturedFrame,
        into segment: inout TCPSegment
    ) -> Bool {
        guard bytes.byteCount >= offset + 40 else { return false }
        segment.isIPv4 = false
        segment.sourceHigh = bytes.bigEndian64(offset + 8)
        segment.sourceLow = bytes.bigEndian64(offset + 16)
        segment.destinationHigh = bytes.bigEndian64(offset + 24)
        segment.destinationLow = bytes.bigEndian64(offset + 32)
        // Zero for a jumbogram (RFC 2675), and under segmentation offload.
        let payloadLength = Int(bytes.bigEndian16(offset + 4))
        let end = payloadLength == 0 ? frame.originalLength : min(frame.originalLength, offset + 40 + payloadLength)
        var next = bytes.byte(offset + 6)
        var position = offset + 40
        while next != NextHeader.tcp {
            guard bytes.byteCount >= position + 8 else { return false }
            let length = Int(bytes.byte(position + 1))
            switch next {
            case NextHeader.fragment:
                if bytes.bigEndian16(position + 2) & 0xFFF8 != 0 {
                    if bytes.byte(position) == NextHeader.tcp { countFragment(frame) }
                    return false
                }
                next = bytes.byte(position)
                position += 8
            case NextHeader.authentication:
                next = bytes.byte(position)
                position += (length + 2) * 4
            case _ where NextHeader.isExtension(next):
                next = bytes.byte(position)
                position += (length + 1) * 8
            default: return false
            }
        }
        return decodeTCP(at: position, end: end, in: bytes, into: &segment)
    }

    private mutating func countFragment(_ frame: CapturedFrame) {
        fragments = (fragments.count + 1, fragments.count == 0 ? frame.number : fragments.first)
    }
}

// MARK: - Transport layer

extension PacketDecoder {
    /// Reads the TCP header; `end` is where the datagram ends by its own statement, which may lie beyond what was captured.
    ///
    /// - Source: RFC 9293 §3.1.
    @inline(__always)
    private func decodeTCP(at offset: Int, end: Int, in bytes: RawSpan, into segment: inout TCPSegment) -> Bool {
        guard bytes.byteCount >= offset + 20, end >= offset + 20 else { return false }
        let headerLength = Int(bytes.byte(offset + 12) >> 4) * 4
        guard headerLength >= 20, offset + headerLength <= end else { return false }
        segment.sourcePort = bytes.bigEndian16(offset)
        segment.destinationPort = bytes.bigEndian16(offset + 2)
        segment.sequence = bytes.bigEndian32(offset + 4)
        segment.acknowledgement = bytes.bigEndian32(offset + 8)
        segment.flags = TCPSegment.Flags(rawValue: bytes.byte(offset + 13))
        segment.payloadStart = min(offset + headerLength, bytes.byteCount)
        segment.payloadCount = max(0, min(end, bytes.byteCount) - segment.payloadStart)
        segment.missingCount = end - (offset + headerLength) - segment.payloadCount
        return true
    }
}
