import AuthScanWire

extension Timestamp {
    /// The moment in UTC with nanoseconds: `2026-01-05T09:00:00.000000000Z`.
    ///
    /// - Source: RFC 3339 §5.6.
    var rfc3339: String {
        let (seconds, fraction) = nanoseconds.flooredDivision(by: 1_000_000_000)
        return CalendarDate.rfc3339(secondsSinceEpoch: seconds, nanoseconds: fraction)
    }
}

extension CalendarDate {
    /// The moment that NTLM states as 100-nanosecond ticks since 1601-01-01 UTC.
    ///
    /// - Source: MS-DTYP 2.3.3 (FILETIME).
    static func rfc3339(ticks: UInt64) -> String {
        let secondsUntil1970: Int64 = 11_644_473_600
        return rfc3339(
            secondsSinceEpoch: Int64(ticks / 10_000_000) - secondsUntil1970,
            nanoseconds: Int64(ticks % 10_000_000) * 100
        )
    }

    /// A moment in UTC, by its seconds since 1970 and the nanoseconds after them.
    static func rfc3339(secondsSinceEpoch: Int64, nanoseconds: Int64 = 0) -> String {
        let (days, rest) = secondsSinceEpoch.flooredDivision(by: 86_400)
        let date = CalendarDate(daysSinceEpoch: Int(days))
        // A report has a few of these for each transaction: one buffer, no strings in between.
        var text: [UInt8] = []
        text.reserveCapacity(32)
        append(date.year, 4, to: &text)
        append(date.month, 2, after: "-", to: &text)
        append(date.day, 2, after: "-", to: &text)
        append(Int(rest / 3600), 2, after: "T", to: &text)
        append(Int(rest / 60 % 60), 2, after: ":", to: &text)
        append(Int(rest % 60), 2, after: ":", to: &text)
        append(Int(nanoseconds), 9, after: ".", to: &text)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ number: Int, _ width: Int, after mark: Unicode.Scalar? = nil, to text: inout [UInt8]) {
        if let mark { text.append(UInt8(ascii: mark)) }
        let start = text.count
        var rest = number.magnitude
        repeat {
            text.append(0x30 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0 || text.count < start + width
        text[start...].reverse()
    }
}

/// A date of the proleptic Gregorian calendar.
struct CalendarDate {
    let year: Int
    let month: Int
    let day: Int

    /// Counts in eras of 400 years whose years begin in March, so that the leap day is a year's last day.
    init(daysSinceEpoch: Int) {
        let (era, dayOfEra) = (daysSinceEpoch + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

extension FixedWidthInteger {
    fileprivate func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
