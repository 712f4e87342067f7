/// How a conversation is put into packets, and these into a file; the conversation itself stays the same in all styles.
public struct CaptureStyle: Hashable, Sendable {
    /// Cuts each message into several segments, where the seed says; `nil` leaves one packet for each message.
    public var resegmentationSeed: UInt64?

    /// Sends segments again that the seed chooses, some of them with their predecessor in front.
    ///
    /// Nothing is sent again once a side has closed the connection.
    public var retransmissionSeed: UInt64?

    /// Swaps neighbouring segments of a message, which the seed chooses.
    ///
    /// Without ``resegmentationSeed`` there are none. The segment that completes a head stays behind the others of its
    /// head, so that it is clear which one that is. Where a connection's start is not in the capture, the first message of
    /// each side keeps its order.
    public var reorderingSeed: UInt64?

    /// Whether all addresses are replaced by IPv6 ones.
    public var isIPv6 = false

    /// The VLAN identifier of an IEEE 802.1Q tag; `nil` for none.
    public var vlan: UInt16?

    /// Whether packets of other hosts come first: ARP, UDP, and a whole TCP connection that is not HTTP.
    public var followsUnrelatedTraffic = false

    /// Whether all sequence numbers start close below 2³², so that they wrap.
    public var wrapsSequenceNumbers = false

    /// How many bytes of each frame are kept, at most.
    public var snapshotLength = 262_144

    /// The layout of the file.
    public var format = CaptureFormat()

    /// The plain style: one packet for each message, IPv4, a classic file with microseconds.
    public init() {}

    /// One packet for each message, IPv4, a classic file with microseconds.
    public static let plain = CaptureStyle()

    /// Each message in several segments; the marked packet is the one that completes the message's head.
    public static func resegmented(seed: UInt64) -> CaptureStyle { plain.with { $0.resegmentationSeed = seed } }

    /// Each message in several segments, some of which come again later.
    public static func retransmitted(seed: UInt64) -> CaptureStyle {
        resegmented(seed: seed).with { $0.retransmissionSeed = seed }
    }

    /// Each message in several segments, some of which have changed places with their neighbours.
    public static func reordered(seed: UInt64) -> CaptureStyle {
        resegmented(seed: seed).with { $0.reorderingSeed = seed }
    }

    /// Over IPv6.
    public static let ipv6 = plain.with { $0.isIPv6 = true }

    /// With an IEEE 802.1Q tag in each frame.
    public static let vlan = plain.with { $0.vlan = 42 }

    /// With packets of other hosts before the conversation.
    public static let afterUnrelatedTraffic = plain.with { $0.followsUnrelatedTraffic = true }

    /// With sequence numbers that wrap in each connection.
    public static let wrapping = plain.with { $0.wrapsSequenceNumbers = true }

    /// A classic file with nanoseconds.
    public static let nanosecond = plain.with { $0.format.resolution = .nanoseconds }

    /// A classic file with the most significant byte first.
    public static let bigEndian = plain.with { $0.format.byteOrder = .big }

    /// A pcapng file.
    public static let pcapng = plain.with { $0.format.container = .pcapng }

    /// All styles that must not change what is found, each with a name for a failing test.
    public static func all(seed: UInt64) -> [(name: String, style: CaptureStyle)] {
        [
            ("plain", plain), ("resegmented", resegmented(seed: seed)), ("retransmitted", retransmitted(seed: seed)),
            ("reordered", reordered(seed: seed)), ("IPv6", ipv6), ("VLAN", vlan),
            ("after unrelated traffic", afterUnrelatedTraffic), ("wrapping", wrapping), ("nanosecond", nanosecond),
            ("big-endian", bigEndian), ("pcapng", pcapng),
            ("everything at once", CaptureStyle(everythingWith: seed)),
        ]
    }

    private init(everythingWith seed: UInt64) {
        resegmentationSeed = seed
        retransmissionSeed = seed
        reorderingSeed = seed
        isIPv6 = true
        vlan = 42
        followsUnrelatedTraffic = true
        wrapsSequenceNumbers = true
        format = CaptureFormat(.pcapng, byteOrder: .big, resolution: .nanoseconds)
    }

    private func with(_ change: (inout CaptureStyle) -> Void) -> CaptureStyle {
        var style = self
        change(&style)
        return style
    }
}

/// A capture file made from a transcript.
public struct GeneratedCapture: Hashable, Sendable {
    /// The whole file.
    public let bytes: [UInt8]

    /// The packets that the transcript marks with `↓`, counted from 1, in ascending order.
    public let markedPackets: [Int]

    /// How many packets are in the file.
    public let packetCount: Int
}
