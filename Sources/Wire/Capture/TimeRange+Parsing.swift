/// A text that states no range of time; the message says what is wrong, in one phrase.
public struct TimeRangeError: Error, Hashable, Sendable {
    /// What is wrong with the text.
    public let message: String
}

extension TimeRange {
    /// Parses `A..B`, of which either side may be missing.
    ///
    /// A moment is one of RFC 3339 (`2026-01-05T09:00:00Z`), a time of the day on which the capture begins, in UTC
    /// (`09:00`, `09:00:00.25`), or a number of seconds after its first packet (`+12.5`).
    ///
    /// - Throws: `TimeRangeError` where the text is none of these, or the end comes before the start.
    public init(parsing text: String) throws(TimeRangeError) {
        guard let dots = text.firstRange(of: "..") else {
            throw TimeRangeError(message: "a range of time has two dots in it: 09:00:00..09:00:30, +10..+25, +10..")
        }
        let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
        let start = first.isEmpty ? nil : try TimeRange.moment(first)
        let end = last.isEmpty ? nil : try TimeRange.moment(last)
        switch (start, end) {
        case (nil, nil):
            throw TimeRangeError(message: "a range of time needs a start or an end: +10..+25, +10.., ..09:00:30")
        case (.absolute(let start)?, .absolute(let end)?) where end < start: throw TimeRange.isReversed
        case (.sinceStart(let start)?, .sinceStart(let end)?) where end < start: throw TimeRange.isReversed
        default: self.init(start: start, end: end, text: text)
        }
    }

    private static let isReversed = TimeRangeError(message: "the range of time ends before it starts")

    private static func moment(_ text: Substring) throws(TimeRangeError) -> Moment {
        if text.utf8.first == UInt8(ascii: "+") {
            if let seconds = nanoseconds(text.dropFirst(), limit: 9_000_000_000) { return .sinceStart(seconds) }
        } else if text.utf8.dropFirst(4).first == UInt8(ascii: "-") {
            if let time = absolute(text) { return .absolute(time) }
        } else if let time = timeOfDay(text) {
            return .timeOfDay(time)
        }
        throw TimeRangeError(
            message: "'\(text)' is no time: 2026-01-05T09:00:00Z, 09:00:00 (UTC, of the day on which the capture "
                + "begins) and +12.5 (seconds after its first packet) are; a range is A..B, A.. or ..B, as +10..+25"
        )
    }

    /// `date T time zone`; the zone is a `Z` or an offset such as `+01:00`.
    ///
    /// - Source: RFC 3339 §5.6.
    private static func absolute(_ text: Substring) -> Timestamp? {
        let separators: [Character] = ["T", "t", " ", "_"]
        guard let middle = text.firstIndex(where: separators.contains), let days = days(text[..<middle]) else {
            return nil
        }
        let rest = text[text.index(after: middle)...]
        guard let zoneStart = rest.firstIndex(where: { "Zz+-".contains($0) }),
            let time = timeOfDay(rest[..<zoneStart]), let offset = zoneOffset(rest[zoneStart...])
        else { return nil }
        // 1678 to 2261 is what nanoseconds since 1970 reach.
        guard (-106_000...106_000).contains(days) else { return nil }
        return Timestamp(nanoseconds: Int64(days) * dayNanoseconds + time - offset)
    }

    /// What a zone's clocks are ahead of UTC, in nanoseconds.
    private static func zoneOffset(_ text: Substring) -> Int64? {
        if text == "Z" || text == "z" { return 0 }
        guard text.utf8.count == 6, let offset = timeOfDay(text.dropFirst()) else { return nil }
        return text.first == "-" ? -offset : offset
    }

    /// `hours:minutes`, and perhaps `:seconds` with a fraction; in nanoseconds.
    private static func timeOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hours = number(parts[0], digits: 2, 0...23),
            let minutes = number(parts[1], digits: 2, 0...59)
        else { return nil }
        // RFC 3339 §5.7: a leap second is the sixtieth.
        guard parts.count == 3 else { return Int64(hours * 60 + minutes) * 60_000_000_000 }
        guard parts[2].prefix(while: { $0 != "." }).utf8.count == 2,
            let seconds = nanoseconds(parts[2], limit: 60)
        else { return nil }
        return Int64(hours * 60 + minutes) * 60_000_000_000 + seconds
    }

    /// The days from 1970-01-01 to a date.
    private static func days(_ text: Substring) -> Int? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = number(parts[0], digits: 4, 0...9999),
            let month = number(parts[1], digits: 2, 1...12)
        else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard let day = number(parts[2], digits: 2, 1...lengths[month - 1]) else { return nil }
        return TimeRange.days(year: year, month: month, day: day)
    }

    /// The days from 1970-01-01 to a date of the Gregorian calendar.
    static func days(year: Int, month: Int, day: Int) -> Int {
        // Counted in years that begin in March, so that the leap day is a year's last day.
        let marchYear = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return marchYear * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
    }

    private static func number(_ text: Substring, digits: Int, _ range: ClosedRange<Int>) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            range.contains(number)
        else { return nil }
        return number
    }

    /// A decimal number of seconds up to a limit, in nanoseconds; digits beyond the ninth of a fraction are left out.
    static func nanoseconds(_ text: Substring, limit: Int64) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }),
            let seconds = Int64(parts[0]), seconds <= limit
        else { return nil }
        guard parts.count == 2 else { return seconds * 1_000_000_000 }
        let digits = String(parts[1].prefix(9))
        guard let fraction = Int64(digits + String(repeating: "0", count: 9 - digits.utf8.count)) else { return nil }
        return seconds * 1_000_000_000 + fraction
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
