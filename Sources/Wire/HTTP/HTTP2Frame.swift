/// The first nine bytes of a frame.
///
/// ```
/// length(3) type(1) flags(1) reserved bit and stream identifier(4)
/// ```
///
/// - Source: RFC 9113 §4.1.
struct HTTP2FrameHeader: Equatable {
    /// The types of frames.
    ///
    /// - Source: RFC 9113 §6.
    struct Kind: RawRepresentable, Hashable {
        let rawValue: UInt8
        static let data = Kind(rawValue: 0)
        static let headers = Kind(rawValue: 1)
        static let priority = Kind(rawValue: 2)
        static let resetStream = Kind(rawValue: 3)
        static let settings = Kind(rawValue: 4)
        static let pushPromise = Kind(rawValue: 5)
        static let ping = Kind(rawValue: 6)
        static let goAway = Kind(rawValue: 7)
        static let windowUpdate = Kind(rawValue: 8)
        static let continuation = Kind(rawValue: 9)
    }

    static let byteCount = 9
    static let endStream: UInt8 = 0x01
    static let acknowledgement: UInt8 = 0x01
    static let endHeaders: UInt8 = 0x04
    static let padded: UInt8 = 0x08
    static let priority: UInt8 = 0x20

    let length: Int
    let kind: Kind
    let flags: UInt8
    let stream: UInt32

    init(_ bytes: RawSpan, at offset: Int) {
        length = Int(bytes.bigEndian32(offset) >> 8)
        kind = Kind(rawValue: bytes.byte(offset + 3))
        flags = bytes.byte(offset + 4)
        stream = bytes.bigEndian32(offset + 5) & 0x7FFF_FFFF
    }

    /// Whether the payload is needed whole, rather than passed over.
    var isCollected: Bool {
        switch kind {
        case .headers, .continuation, .pushPromise, .resetStream, .settings, .goAway: true
        default: false
        }
    }

    /// Whether a header like this is sent by anyone: what is looked for behind a gap.
    func isPlausible(reservedBit: Bool) -> Bool {
        guard !reservedBit, length <= HTTP2FrameHeader.usualMaximum else { return false }
        switch kind {
        case .data: return stream != 0 && flags & ~0x09 == 0
        case .headers: return stream != 0 && flags & ~0x2D == 0
        case .priority: return stream != 0 && length == 5 && flags == 0
        case .resetStream: return stream != 0 && length == 4 && flags == 0
        case .settings: return stream == 0 && length % 6 == 0 && flags & ~0x01 == 0
        case .pushPromise: return stream != 0 && length >= 4 && flags & ~0x0C == 0
        case .ping: return stream == 0 && length == 8 && flags & ~0x01 == 0
        case .goAway: return stream == 0 && length >= 8 && flags == 0
        case .windowUpdate: return length == 4 && flags == 0
        case .continuation: return stream != 0 && flags & ~0x04 == 0
        default: return false
        }
    }

    /// Whether the payload of a packet looks like frames from its first byte to its last.
    ///
    /// There are two of them at least, the last of which may be cut, or one that ends with the packet.
    /// Empty frames alone do not count: other protocols begin with small numbers, too (BitTorrent's `have` would be one).
    static func isChain(_ bytes: RawSpan) -> Bool {
        var (position, count, hasPayload) = (0, 0, false)
        while bytes.byteCount - position >= byteCount {
            let header = HTTP2FrameHeader(bytes, at: position)
            guard header.isPlausible(reservedBit: bytes.byte(position + 5) & 0x80 != 0) else { return false }
            count += 1
            hasPayload = hasPayload || header.length > 0
            position += byteCount + header.length
        }
        return hasPayload && (count > 1 || count == 1 && position == bytes.byteCount)
    }

    /// The largest payload where the receiver has not allowed more.
    ///
    /// - Source: RFC 9113 §6.5.2 (SETTINGS_MAX_FRAME_SIZE).
    private static let usualMaximum = 1 << 14
}
