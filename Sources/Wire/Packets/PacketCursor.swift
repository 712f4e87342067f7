/// Where decoding stands in a packet: which header comes next, where it starts, and where its datagram ends.
struct PacketCursor {
    /// The header that comes next.
    enum Layer {
        /// What a link type says.
        case link(LinkType)
        /// A MAC frame: two addresses of six bytes, and a type or length.
        case ethernet
        /// What an EtherType says.
        case etherType(UInt16)
        /// IEEE 802.2 logical link control.
        case logicalLinkControl
        /// An ISO network layer protocol identifier, one byte (RFC 2427 §3).
        case networkLayerProtocol
        /// A PPP frame, with or without its address and control bytes.
        case ppp
        /// A label stack (RFC 3032).
        case mpls
        /// An IEEE 802.11 frame; `isPadded` where its header is filled up to 32 bits.
        case ieee80211(isPadded: Bool)
        /// The subframes of an aggregated IEEE 802.11 frame.
        case aggregatedSubframe
        /// An IPv4 or IPv6 header, told by its version.
        case internet
        /// What an IP protocol number or next header says.
        case ipProtocol(UInt8)
    }

    /// The header that comes next.
    var layer: Layer

    /// Where it starts, in bytes from the start of the buffer.
    var offset: Int

    /// Where the datagram around it ends by its own statement, which may lie beyond what was captured.
    var end: Int

    /// Moves behind a header of `count` bytes to `layer`; `false` where the header was not captured whole.
    @inline(__always)
    mutating func pass(_ count: Int, to layer: Layer, in bytes: RawSpan) -> Bool {
        guard has(count, in: bytes) else { return false }
        offset += count
        self.layer = layer
        return true
    }

    /// Whether the next `count` bytes were captured.
    @inline(__always)
    func has(_ count: Int, in bytes: RawSpan) -> Bool { count >= 0 && bytes.byteCount - offset >= count }
}

extension RawSpan {
    /// The two bytes at an offset, least significant first.
    @inline(__always) func littleEndian16(_ offset: Int) -> UInt16 { bigEndian16(offset).byteSwapped }

    /// The four bytes at an offset, least significant first.
    @inline(__always) func littleEndian32(_ offset: Int) -> UInt32 { bigEndian32(offset).byteSwapped }
}
