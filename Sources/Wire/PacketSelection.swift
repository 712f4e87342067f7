/// Which packets of a capture are analysed: those in a range of time that a filter lets pass.
///
/// The others keep their numbers; they are as absent as if they had not been captured.
public struct PacketSelection {
    private let filter: (any FrameFilter)?
    private let times: TimeRange?
    /// The moments of the range, once the first packet is known.
    private var moments: ClosedRange<Timestamp>?
    private var isStarted = false
    /// The link types that the filter says nothing about.
    private var inapplicable: Set<LinkType> = []
    /// How many packets there were in the range of time.
    private var inTime = 0

    private var passed = 0

    /// What was selected, as far as packets came.
    var summary: SelectionSummary {
        SelectionSummary(filter: filter?.expression, time: times?.text, packets: passed)
    }

    /// States a selection; what is `nil` leaves nothing out.
    public init(filter: (any FrameFilter)? = nil, times: TimeRange? = nil) {
        self.filter = filter
        self.times = times
    }

    /// Whether a packet lies in the range of time; packets must come in the order of their times.
    mutating func isInTime(_ frame: CapturedFrame) -> Bool {
        guard let times else {
            inTime += 1
            return true
        }
        if !isStarted {
            moments = times.moments(inCaptureFrom: frame.time)
            isStarted = true
        }
        guard moments?.contains(frame.time) == true else { return false }
        inTime += 1
        return true
    }

    /// Whether the filter lets a packet pass; notes link types that it says nothing about.
    mutating func passes(_ bytes: RawSpan, of frame: CapturedFrame, in path: String, _ problems: inout [CaptureProblem])
        -> Bool
    {
        guard let filter else {
            passed += 1
            return true
        }
        let (linkType, offset) = PacketSelection.filteredHeader(bytes, of: frame)
        let verdict = filter.verdict(
            on: bytes.extracting(offset..<bytes.byteCount),
            linkType: linkType.rawValue,
            originalLength: max(0, frame.originalLength - offset)
        )
        switch verdict {
        case .pass:
            passed += 1
            return true
        case .drop: return false
        case .inapplicable(let reason):
            if inapplicable.insert(linkType).inserted {
                problems.append(
                    CaptureProblem(
                        kind: .inapplicableFilter,
                        file: path,
                        packet: frame.number,
                        offset: nil,
                        message: "the filter lets no packet of \(linkType) pass: \(reason)"
                    )
                )
            }
            return false
        }
    }

    /// Where the header starts that a filter looks at: behind that of a packet tap, as on the machine that captured.
    private static func filteredHeader(_ bytes: RawSpan, of frame: CapturedFrame) -> (LinkType, Int) {
        guard frame.linkType == .pktap || frame.linkType == .user2, let header = PacketTapHeader(in: bytes, at: 0)
        else {
            return (frame.linkType, 0)
        }
        var cursor = PacketCursor(layer: .link(frame.linkType), offset: 0, end: frame.originalLength)
        guard header.pass(&cursor, in: bytes), case .link(let inner) = cursor.layer, cursor.offset <= bytes.byteCount
        else { return (frame.linkType, 0) }
        return (inner, cursor.offset)
    }

    /// What to say where nothing was let pass although there are packets; `nil` where something was.
    func emptiness(_ packets: Int) -> String? {
        guard packets > 0, passed == 0 else { return nil }
        let all = packets == 1 ? "the packet" : "the \(packets) packets"
        return inTime == 0 ? "none of \(all) lies in the range of time" : "the filter lets none of \(all) pass"
    }
}

/// What of a capture was analysed, where the user did not ask for the whole.
public struct SelectionSummary: Hashable, Sendable {
    /// The filter in tcpdump's language; `nil` for none.
    public let filter: String?

    /// The range of time; `nil` for the whole.
    public let time: String?

    /// How many packets lie in the range and pass the filter.
    public let packets: Int
}
