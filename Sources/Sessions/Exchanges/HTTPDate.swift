/// The date of a field or of a cookie's attribute, read as tolerantly as clients do.
///
/// - Source: RFC 9110 §5.6.7; RFC 6265 §5.1.1.
public enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Seconds since 1970-01-01 UTC; `nil` where day, month or year cannot be found.
    ///
    /// The time of day is midnight where it cannot be read.
    public static func seconds(_ text: String) -> Int? {
        var day: Int?
        var month: Int?
        var year: Int?
        var time = 0
        for token in text.lowercased().split(whereSeparator: { " ,-".contains($0) }) {
            if let clock = timeOfDay(token) {
                time = clock
            } else if let number = Int(token), (0...9999).contains(number) {
                if day == nil, (1...31).contains(number) { day = number } else if year == nil { year = number }
            } else if month == nil {
                month = months.firstIndex(of: String(token.prefix(3))).map { $0 + 1 }
            }
        }
        guard let day, let month, var year else { return nil }
        // RFC 6265 §5.1.1, steps 3 and 4: two-digit years are of 1970 to 2069.
        if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
        return days(year: year, month: month, day: day) * 86_400 + time
    }

    private static func timeOfDay(_ token: Substring) -> Int? {
        let parts = token.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Days since 1970-01-01 in the Gregorian calendar.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        // Counting from March puts the leap day at the end of the year.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
