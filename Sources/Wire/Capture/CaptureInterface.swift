/// What a capture says about the interface that its frames came from, as far as reading them needs it.
///
/// A classic pcap file has one, described by its header; a pcapng section has any number.
struct CaptureInterface: Equatable {
    /// What the first header of its frames is.
    var linkType: LinkType

    /// The most that was captured of a frame, in bytes; 0 stands for no limit.
    var snapshotLength: Int

    /// The unit of its time stamps, as `if_tsresol` encodes it: a negative power of 10, or of 2 with the top bit set.
    ///
    /// - Source: draft-ietf-opsawg-pcapng §4.2, if_tsresol.
    var resolution: UInt8 = 6

    /// What to add to its time stamps, in seconds (`if_tsoffset`).
    var offset: Int64 = 0

    /// How many packets were dropped before they could be captured.
    struct Loss: Equatable {
        var byInterface: UInt64 = 0
        var bySystem: UInt64 = 0
    }

    /// What the capturing program said about that last.
    var loss = Loss()

    /// The moment that a count of its units since 1970 stands for; the nearest that can be stated where that is out of range.
    func timestamp(_ units: UInt64) -> Timestamp {
        let (seconds, nanoseconds) = resolution & 0x80 == 0 ? decimal(units) : binary(units)
        let (shifted, tooFar) = Int64(clamping: seconds).addingReportingOverflow(offset)
        let (scaled, tooLarge) = shifted.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, beyond) = scaled.addingReportingOverflow(Int64(nanoseconds))
        guard !tooFar, !tooLarge, !beyond else { return Timestamp(nanoseconds: offset < 0 ? .min : .max) }
        return Timestamp(nanoseconds: sum)
    }

    private func decimal(_ units: UInt64) -> (seconds: UInt64, nanoseconds: UInt64) {
        // 10^19 is the last power of ten that 64 bits hold; a finer unit has no whole second in 64 bits.
        guard resolution <= 19 else { return (0, 0) }
        let perSecond = CaptureInterface.powersOfTen[Int(resolution)]
        let (seconds, rest) = units.quotientAndRemainder(dividingBy: perSecond)
        if resolution <= 9 { return (seconds, rest &* CaptureInterface.powersOfTen[9 - Int(resolution)]) }
        return (seconds, rest / CaptureInterface.powersOfTen[Int(resolution) - 9])
    }

    private func binary(_ units: UInt64) -> (seconds: UInt64, nanoseconds: UInt64) {
        let shift = UInt64(resolution & 0x7F)
        guard shift < 64 else { return (0, 0) }
        let rest = shift == 0 ? 0 : units << (64 - shift)
        return (units >> shift, rest.multipliedFullWidth(by: 1_000_000_000).high)
    }

    private static let powersOfTen: [UInt64] = (0...19).reduce(into: []) { powers, _ in
        powers.append((powers.last ?? 0) == 0 ? 1 : (powers.last ?? 0) &* 10)
    }
}
