/// The parts of an IPv4 or IPv6 header that decoding needs.
///
/// The addresses go straight into the segment that is being decoded: the innermost header's are those of its connection.
enum IPHeader {
    /// What an IP packet leads to.
    enum Step {
        /// The cursor stands behind the header.
        case passed
        /// The packet is a fragment; the cursor stands at the fragment's bytes.
        case fragment(identification: UInt32, position: Int, isLast: Bool)
        /// No IP packet, or one that holds nothing to go on with.
        case none
    }

    /// The IP protocols, and next headers, that lead on.
    enum Number {
        static let hopByHop: UInt8 = 0
        static let ipv4: UInt8 = 4
        static let tcp: UInt8 = 6
        static let udp: UInt8 = 17
        static let ipv6: UInt8 = 41
        static let routing: UInt8 = 43
        static let fragment: UInt8 = 44
        static let gre: UInt8 = 47
        static let authentication: UInt8 = 51
        static let etherIP: UInt8 = 97
        static let mpls: UInt8 = 137
        static let ethernet: UInt8 = 143

        /// Hop-by-hop options, routing, destination options, mobility, HIP, shim6.
        static func isExtension(_ number: UInt8) -> Bool {
            number == hopByHop || number == routing || number == 60 || number == 135 || number == 139 || number == 140
        }

        /// Whether the payload may hold a TCP segment somewhere.
        @inline(__always)
        static func isRead(_ number: UInt8) -> Bool {
            switch number {
            case ipv4, tcp, udp, ipv6, fragment, gre, authentication, etherIP, mpls, ethernet: true
            default: isExtension(number)
            }
        }
    }
}

extension PacketCursor {
    /// Passes an IPv4 or IPv6 header, told by its version.
    mutating func passInternet(in bytes: RawSpan, into segment: inout TCPSegment) -> IPHeader.Step {
        guard has(1, in: bytes) else { return .none }
        switch bytes.byte(offset) >> 4 {
        case 4: return passIPv4(in: bytes, into: &segment)
        case 6: return passIPv6(in: bytes, into: &segment) ? .passed : .none
        default: return .none
        }
    }

    /// - Source: RFC 791 §3.1.
    @inline(__always)
    mutating func passIPv4(in bytes: RawSpan, into segment: inout TCPSegment) -> IPHeader.Step {
        guard has(20, in: bytes) else { return .none }
        // One check covers the whole header.
        let header = bytes.extracting(offset..<(offset &+ 20))
        let headerLength = Int(header.byte(0) & 0x0F) &* 4
        let number = header.byte(9)
        guard headerLength >= 20, IPHeader.Number.isRead(number) else { return .none }
        segment.isIPv4 = true
        segment.sourceHigh = 0
        segment.sourceLow = UInt64(header.bigEndian32(12))
        segment.destinationHigh = 0
        segment.destinationLow = UInt64(header.bigEndian32(16))
        // The total length is zero where the segment was captured before segmentation offload filled it in.
        let totalLength = Int(header.bigEndian16(2))
        if totalLength != 0 { end = min(end, offset &+ totalLength) }
        let place = header.bigEndian16(6)
        let identification = UInt32(header.bigEndian16(4))
        guard pass(headerLength, to: .ipProtocol(number), in: bytes) else { return .none }
        guard place & 0x3FFF != 0 else { return .passed }
        return .fragment(
            identification: identification,
            position: Int(place & 0x1FFF) * 8,
            isLast: place & 0x2000 == 0
        )
    }

    /// - Source: RFC 8200 §3.
    @inline(__always)
    mutating func passIPv6(in bytes: RawSpan, into segment: inout TCPSegment) -> Bool {
        guard has(40, in: bytes) else { return false }
        segment.isIPv4 = false
        segment.sourceHigh = bytes.bigEndian64(offset &+ 8)
        segment.sourceLow = bytes.bigEndian64(offset &+ 16)
        segment.destinationHigh = bytes.bigEndian64(offset &+ 24)
        segment.destinationLow = bytes.bigEndian64(offset &+ 32)
        // Zero for a jumbogram (RFC 2675), and under segmentation offload.
        let payloadLength = Int(bytes.bigEndian16(offset &+ 4))
        if payloadLength != 0 { end = min(end, offset &+ 40 &+ payloadLength) }
        return pass(40, to: .ipProtocol(bytes.byte(offset &+ 6)), in: bytes)
    }

    /// Passes an IPv6 extension header, or an authentication header, which says what comes next.
    ///
    /// next header(1) length(1) …; the length counts units of 8 bytes after the first 8, in an authentication header of 4.
    ///
    /// - Source: RFC 8200 §4; RFC 4302 §2.
    mutating func passExtension(_ number: UInt8, in bytes: RawSpan, into segment: inout TCPSegment) -> IPHeader.Step {
        guard has(8, in: bytes) else { return .none }
        let next = Layer.ipProtocol(bytes.byte(offset))
        let length = Int(bytes.byte(offset + 1))
        switch number {
        case IPHeader.Number.fragment:
            let place = bytes.bigEndian16(offset + 2)
            let identification = bytes.bigEndian32(offset + 4)
            guard pass(8, to: next, in: bytes) else { return .none }
            // A datagram in one fragment (RFC 6946) needs no putting together.
            guard place & 0xFFF9 != 0 else { return .passed }
            return .fragment(
                identification: identification,
                position: Int(place & 0xFFF8),
                isLast: place & 1 == 0
            )
        case IPHeader.Number.authentication:
            return pass((length + 2) * 4, to: next, in: bytes) ? .passed : .none
        default:
            if number == IPHeader.Number.routing { noteFinalDestination(length, in: bytes, into: &segment) }
            return pass((length + 1) * 8, to: next, in: bytes) ? .passed : .none
        }
    }

    /// On its way through the hops of a routing header, a packet is not yet addressed to the end of its connection.
    ///
    /// next header(1) length(1) type(1) segments left(1) … addresses; the final one is the first of a segment list, the last of
    /// the older types.
    ///
    /// - Source: RFC 8754 §2 (type 4); RFC 6275 §6.4 (type 2); RFC 2460 §4.4 (type 0).
    private func noteFinalDestination(_ length: Int, in bytes: RawSpan, into segment: inout TCPSegment) {
        let type = bytes.byte(offset + 2)
        guard bytes.byte(offset + 3) > 0, length >= 2, type == 4 || type == 2 || type == 0 else { return }
        let address = offset + (type == 4 ? 8 : 8 + (length / 2 - 1) * 16)
        guard bytes.byteCount >= address + 16 else { return }
        segment.destinationHigh = bytes.bigEndian64(address)
        segment.destinationLow = bytes.bigEndian64(address + 8)
    }

    /// Reads the TCP header here; `false` where it is not one, or was not captured whole.
    ///
    /// - Source: RFC 9293 §3.1.
    @inline(__always)
    func readTCP(in bytes: RawSpan, into segment: inout TCPSegment) -> Bool {
        guard has(20, in: bytes), end >= offset &+ 20 else { return false }
        let header = bytes.extracting(offset..<(offset &+ 20))
        let headerLength = Int(header.byte(12) >> 4) &* 4
        guard headerLength >= 20, offset &+ headerLength <= end else { return false }
        segment.sourcePort = header.bigEndian16(0)
        segment.destinationPort = header.bigEndian16(2)
        segment.sequence = header.bigEndian32(4)
        segment.acknowledgement = header.bigEndian32(8)
        segment.flags = TCPSegment.Flags(rawValue: header.byte(13))
        segment.payloadStart = min(offset &+ headerLength, bytes.byteCount)
        segment.payloadCount = max(0, min(end, bytes.byteCount) &- segment.payloadStart)
        segment.missingCount = end &- (offset &+ headerLength) &- segment.payloadCount
        return true
    }
}
