import AuthScanWire

extension Timestamp {
    /// The moment in UTC with nanoseconds: `2026-01-05T09:00:00.000000000Z`.
    ///
    /// - Source: RFC 3339 §5.6.
    var rfc3339: String {
        let (days, rest) = nanoseconds.flooredDivision(by: 86_400_000_000_000)
        let date = CalendarDate(daysSinceEpoch: Int(days))
        let seconds = Int(rest / 1_000_000_000)
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
        let fraction = padded(Int(rest % 1_000_000_000), 9)
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(time).\(fraction)Z"
    }
}

/// A date of the proleptic Gregorian calendar.
private struct CalendarDate {
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

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
