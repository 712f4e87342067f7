import AuthScanBytes

/// Stage 2: finds the TCP segments in a captured frame, through link headers, tags, tunnels and IP, and the datagrams of Kerberos.
///
/// Nearly every frame is Ethernet or raw IP with an unfragmented TCP segment: `decode` reads those in place. Any other goes through
/// `walk`, which passes one header after the other and gathers what it finds in `found`: an aggregated frame has several
/// segments, and a segment that was fragmented lies in a buffer of its own.
///
/// Anything else (other protocols, damaged headers) is no segment and passes silently, except for what this version should read and
/// does not, which is counted.
struct PacketDecoder {
    /// What a frame holds.
    enum Content {
        /// No TCP segment.
        case nothing
        /// One segment, which lies in the frame.
        case segment
        /// The segments of `found`.
        case found
    }

    /// A segment that was not simply found in place.
    struct FoundSegment {
        var segment: TCPSegment
        /// The index of its buffer; −1 for the frame.
        var buffer: Int
        var packet: Int
        var time: Timestamp
        var kind = Kind.segment

        enum Kind {
            case segment
            /// A UDP datagram to or from a key distribution center, of which addresses, ports and payload alone mean anything.
            case kdcDatagram
            /// Likewise, one that begins with the long header of QUIC.
            case quicDatagram
        }
    }

    /// The segments of the frame, where it is not one in place.
    private(set) var found: [FoundSegment] = []
    /// The datagrams that were put together from fragments.
    private(set) var buffers: [[UInt8]] = []

    /// What of the current file is not read.
    var unread = UnreadFrames()
    private(set) var fragments: FragmentAssembler

    /// How many headers of a packet are passed, and how deep fragments in fragments go.
    private static let layerLimit = 64
    private static let depthLimit = 8

    init(limits: Limits = Limits()) {
        fragments = FragmentAssembler(limits: limits)
    }

    /// Finds the segments of a frame; fills `segment` where it is one in place, and `processes` with what packet taps name.
    @inline(__always)
    mutating func decode(
        _ bytes: RawSpan,
        of frame: CapturedFrame,
        into segment: inout TCPSegment,
        _ processes: inout ProcessTable
    ) -> Content {
        segment.process = frame.process
        var offset = 0
        if frame.linkType == .ethernet, bytes.byteCount >= 14 {
            offset = 14
            var type = bytes.bigEndian16(12)
            while EtherType.isTag(type), offset &+ 4 <= bytes.byteCount {
                type = bytes.bigEndian16(offset &+ 2)
                offset &+= 4
            }
            guard type == EtherType.ipv4 || type == EtherType.ipv6 else {
                return decodeLayers(bytes, of: frame, &processes)
            }
        } else if frame.linkType != .raw {
            return decodeLayers(bytes, of: frame, &processes)
        }
        var cursor = PacketCursor(layer: .internet, offset: offset, end: frame.originalLength)
        guard offset < bytes.byteCount else { return .nothing }
        if bytes.byte(offset) >> 4 == 4 {
            guard bytes.byteCount >= offset &+ 20 else { return .nothing }
            guard bytes.byte(offset &+ 9) == IPHeader.Number.tcp, bytes.bigEndian16(offset &+ 6) & 0x3FFF == 0 else {
                if PacketDecoder.isOrdinaryUDP(bytes, at: offset) { return .nothing }
                return decodeLayers(bytes, of: frame, &processes)
            }
            guard case .passed = cursor.passIPv4(in: bytes, into: &segment) else { return .nothing }
        } else {
            guard bytes.byteCount >= offset &+ 40, bytes.byte(offset) >> 4 == 6,
                bytes.byte(offset &+ 6) == IPHeader.Number.tcp
            else { return decodeLayers(bytes, of: frame, &processes) }
            guard cursor.passIPv6(in: bytes, into: &segment) else { return .nothing }
        }
        return cursor.readTCP(in: bytes, into: &segment) ? .segment : .nothing
    }

    /// Whether an IPv4 packet is a whole UDP datagram that nobody reads, as the next most frequent packets are.
    static func isOrdinaryUDP(_ bytes: RawSpan, at offset: Int) -> Bool {
        let ports = offset &+ Int(bytes.byte(offset) & 0x0F) &* 4
        guard bytes.byte(offset &+ 9) == IPHeader.Number.udp, bytes.bigEndian16(offset &+ 6) & 0x3FFF == 0,
            ports &+ 4 <= bytes.byteCount
        else { return false }
        let (source, destination) = (bytes.bigEndian16(ports), bytes.bigEndian16(ports &+ 2))
        return !TunnelPort.isRead(source) && !TunnelPort.isRead(destination) && source != KerberosPort.kdc
            && destination != KerberosPort.kdc && !PacketCursor.startsQUIC(bytes, at: ports &+ 8)
    }

    /// Finds the segments of any frame.
    @inline(never)
    private mutating func decodeLayers(
        _ bytes: RawSpan,
        of frame: CapturedFrame,
        _ processes: inout ProcessTable
    ) -> Content {
        var walk = Walk(packet: frame.number, time: frame.time)
        var start = PacketCursor(layer: .link(frame.linkType), offset: 0, end: frame.originalLength)
        walk.segment.process = passPacketTap(&start, in: bytes, &processes) ?? frame.process
        var next: PacketCursor? = start
        while let cursor = next {
            walk.following = nil
            self.walk(bytes, from: cursor, &walk)
            next = walk.following
        }
        return found.isEmpty ? .nothing : .found
    }

    /// Passes the header of a packet tap, where there is one; returns the number of the process that it names.
    private func passPacketTap(
        _ cursor: inout PacketCursor,
        in bytes: RawSpan,
        _ processes: inout ProcessTable
    ) -> UInt32? {
        guard case .link(let type) = cursor.layer, type == .pktap || type == .user2,
            let header = PacketTapHeader(in: bytes, at: cursor.offset), header.pass(&cursor, in: bytes)
        else { return nil }
        return header.process(in: bytes, &processes)
    }

    /// Forgets the segments once they are consumed.
    mutating func forgetFound() {
        found.removeAll(keepingCapacity: true)
        if !buffers.isEmpty { buffers.removeAll(keepingCapacity: true) }
    }
}

// MARK: - From header to header

extension PacketDecoder {
    /// What is known on the way through a packet's headers.
    private struct Walk {
        var packet: Int
        var time: Timestamp
        var segment = TCPSegment()
        /// The buffer that is walked through; −1 for the frame.
        var buffer = -1
        var depth = 0
        /// Where the next subframe of an aggregated frame starts.
        var following: PacketCursor?
    }

    /// Passes headers until a TCP segment is found or nothing leads on.
    private mutating func walk(_ bytes: RawSpan, from start: PacketCursor, _ walk: inout Walk) {
        var cursor = start
        for _ in 0..<PacketDecoder.layerLimit {
            let isPassed =
                switch cursor.layer {
                case .link(let type): passLink(type, &cursor, in: bytes, walk)
                case .ethernet: cursor.passEthernet(in: bytes)
                case .etherType(let type): cursor.passEtherType(type, in: bytes)
                case .logicalLinkControl: cursor.passLogicalLinkControl(in: bytes)
                case .networkLayerProtocol: cursor.passNetworkLayerProtocol(in: bytes)
                case .ppp: cursor.passPPP(in: bytes)
                case .mpls: cursor.passMPLS(in: bytes)
                case .ieee80211(let isPadded): passDataFrame(isPadded, &cursor, in: bytes, walk)
                case .aggregatedSubframe: passSubframe(&cursor, in: bytes, &walk)
                case .internet:
                    follow(cursor.passInternet(in: bytes, into: &walk.segment), cursor, in: bytes, &walk)
                case .ipProtocol(let number): passProtocol(number, &cursor, in: bytes, &walk)
                }
            guard isPassed else { return }
        }
    }

    private mutating func passLink(
        _ type: LinkType,
        _ cursor: inout PacketCursor,
        in bytes: RawSpan,
        _ walk: Walk
    ) -> Bool {
        if let isPassed = cursor.passLink(type, in: bytes) { return isPassed }
        unread.note(type, packet: walk.packet)
        return false
    }

    private mutating func passDataFrame(
        _ isPadded: Bool,
        _ cursor: inout PacketCursor,
        in bytes: RawSpan,
        _ walk: Walk
    ) -> Bool {
        switch cursor.passDataFrame(isPadded: isPadded, in: bytes) {
        case .passed: return true
        case .none: return false
        case .encrypted:
            unread.noteEncrypted(packet: walk.packet)
            return false
        }
    }

    private func passSubframe(_ cursor: inout PacketCursor, in bytes: RawSpan, _ walk: inout Walk) -> Bool {
        guard cursor.has(14, in: bytes) else { return false }
        walk.following = cursor.passSubframe(in: bytes)
        return true
    }

    private mutating func append(_ kind: FoundSegment.Kind, _ walk: Walk) {
        let (packet, time) = (walk.packet, walk.time)
        found.append(
            FoundSegment(segment: walk.segment, buffer: walk.buffer, packet: packet, time: time, kind: kind)
        )
    }

    private mutating func passProtocol(
        _ number: UInt8,
        _ cursor: inout PacketCursor,
        in bytes: RawSpan,
        _ walk: inout Walk
    ) -> Bool {
        switch number {
        case IPHeader.Number.tcp:
            if cursor.readTCP(in: bytes, into: &walk.segment) { append(.segment, walk) }
            return false
        case IPHeader.Number.ipv4, IPHeader.Number.ipv6: return cursor.pass(0, to: .internet, in: bytes)
        case IPHeader.Number.udp:
            if cursor.readKDCDatagram(in: bytes, into: &walk.segment) {
                append(.kdcDatagram, walk)
            } else if cursor.readQUICDatagram(in: bytes, into: &walk.segment) {
                append(.quicDatagram, walk)
            } else {
                return cursor.passUDP(in: bytes)
            }
            return false
        case IPHeader.Number.gre: return cursor.passGRE(in: bytes)
        case IPHeader.Number.mpls: return cursor.pass(0, to: .mpls, in: bytes)
        case IPHeader.Number.ethernet: return cursor.pass(0, to: .ethernet, in: bytes)
        // RFC 3378 §3: version and reserved bits, 2 bytes.
        case IPHeader.Number.etherIP: return cursor.pass(2, to: .ethernet, in: bytes)
        case IPHeader.Number.fragment, IPHeader.Number.authentication:
            let step = cursor.passExtension(number, in: bytes, into: &walk.segment)
            return follow(step, cursor, in: bytes, &walk)
        default:
            guard IPHeader.Number.isExtension(number) else { return false }
            let step = cursor.passExtension(number, in: bytes, into: &walk.segment)
            return follow(step, cursor, in: bytes, &walk)
        }
    }
}

// MARK: - Fragments

extension PacketDecoder {
    /// Goes on behind an IP header where it is no fragment's; gathers the fragment otherwise.
    private mutating func follow(
        _ step: IPHeader.Step,
        _ cursor: PacketCursor,
        in bytes: RawSpan,
        _ walk: inout Walk
    ) -> Bool {
        switch step {
        case .passed: return true
        case .none: return false
        case .fragment(let identification, let position, let isLast):
            guard case .ipProtocol(let number) = cursor.layer, IPHeader.Number.isRead(number) else { return false }
            let fragment = FragmentAssembler.Fragment(
                key: FragmentAssembler.Key(walk.segment, identification, number),
                position: position,
                length: cursor.end - cursor.offset,
                isLast: isLast,
                ipProtocol: number,
                packet: walk.packet,
                time: walk.time
            )
            let payload = bytes.extracting(cursor.offset..<max(cursor.offset, min(cursor.end, bytes.byteCount)))
            while let datagram = fragments.giveUp(at: walk.time) { read(datagram, walk) }
            if let datagram = fragments.receive(fragment, payload: payload) { read(datagram, walk) }
            return false
        }
    }

    /// Walks through a datagram that was put together.
    private mutating func read(_ datagram: FragmentAssembler.Datagram, _ outer: Walk) {
        guard outer.depth < PacketDecoder.depthLimit, !datagram.bytes.isEmpty else { return }
        var walk = Walk(packet: datagram.packet, time: datagram.time)
        walk.depth = outer.depth + 1
        walk.segment = datagram.key.segment
        walk.segment.process = outer.segment.process
        walk.buffer = buffers.count
        buffers.append(datagram.bytes)
        let start = PacketCursor(layer: .ipProtocol(datagram.ipProtocol), offset: 0, end: datagram.length)
        withBytes(of: datagram.bytes) { self.walk($0, from: start, &walk) }
    }

    /// Reads what there is of the datagrams that stayed incomplete, when the capture is over.
    mutating func finish() -> Content {
        while let datagram = fragments.giveUpNext() {
            read(datagram, Walk(packet: datagram.packet, time: datagram.time))
        }
        return found.isEmpty ? .nothing : .found
    }
}

extension FragmentAssembler.Key {
    /// The key of a fragment whose addresses were read into a segment.
    fileprivate init(_ segment: TCPSegment, _ identification: UInt32, _ number: UInt8) {
        sourceHigh = segment.sourceHigh
        sourceLow = segment.sourceLow
        destinationHigh = segment.destinationHigh
        destinationLow = segment.destinationLow
        self.identification = identification
        ipProtocol = segment.isIPv4 ? number : 0
        isIPv4 = segment.isIPv4
    }

    /// A segment with these addresses.
    fileprivate var segment: TCPSegment {
        var segment = TCPSegment()
        segment.sourceHigh = sourceHigh
        segment.sourceLow = sourceLow
        segment.destinationHigh = destinationHigh
        segment.destinationLow = destinationLow
        segment.isIPv4 = isIPv4
        return segment
    }
}
