import Testing

@testable import AuthScanWire

@Suite struct TimeRangeTests {
    /// 2026-01-05 09:00:00 UTC.
    private static let first = Timestamp(nanoseconds: 1_767_603_600_000_000_000)

    private func seconds(_ text: String) throws -> [Double?] {
        let moments = try #require(try TimeRange(parsing: text).moments(inCaptureFrom: Self.first))
        return [moments.lowerBound, moments.upperBound].map { moment in
            moment.nanoseconds == .min || moment.nanoseconds == .max ? nil : moment.seconds(since: Self.first)
        }
    }

    @Test(
        "a moment is of the calendar, of the capture's day, or so long after its start; either side may be open",
        arguments: [
            ("+10..+25", [10.0, 25.0]), ("+0.5..", [0.5, nil]), ("..+2", [nil, 2]),
            ("2026-01-05T09:00:01Z..2026-01-05T09:00:02.25Z", [1, 2.25]),
            ("2026-01-05T10:00:01+01:00..", [1, nil]), ("2026-01-05 08:30:00-00:30..", [0, nil]),
            ("..2026-01-06T00:00:00z", [nil, 54_000]), ("09:00..09:01", [0, 60]),
            ("08:59:59.5..09:00:00.5", [-0.5, 0.5]),
            ("23:00..01:00", [50_400, 57_600]), ("09:00:00.000000001..", [0.000_000_001, nil]),
            ("2024-02-29T00:00:00Z..", [-58_438_800, nil]), ("1970-01-01T00:00:00Z..", [-1_767_603_600, nil]),
        ] as [(String, [Double?])]
    )
    func isParsed(text: String, moments: [Double?]) throws { #expect(try seconds(text) == moments) }

    @Test(
        "what is no range is refused",
        arguments: [
            "", "..", "+1", "10..20", "+20..+10", "2026-01-05T09:00:02Z..2026-01-05T09:00:01Z", "24:00..", "09:60..",
            "9:00..", "09:00:61..", "2026-02-29T00:00:00Z..", "2026-13-01T00:00:00Z..", "2026-01-05T09:00:00..",
            "2026-01-05..", "+1e3..", "+-1..", "+..", "+1.2.3..", "+99999999999..", "foo..bar",
            "0000-01-01T00:00:00Z..",
            "2026-01-05T09:00:00+1:00..",
        ]
    )
    func isRefused(text: String) {
        #expect(throws: TimeRangeError.self) { try TimeRange(parsing: text) }
    }

    @Test("an end of one kind before a start of another leaves nothing")
    func mayBeEmpty() throws {
        let range = try TimeRange(parsing: "+10..2026-01-05T09:00:05Z")
        #expect(range.moments(inCaptureFrom: Self.first) == nil)
    }

    @Test("times that make no sense do no harm", arguments: [Int64.min, .min + 1, -1, 0, .max])
    func survivesNonsense(nanoseconds: Int64) throws {
        for text in ["+10..+20", "09:00..10:00", "23:00..01:00"] {
            _ = try TimeRange(parsing: text).moments(inCaptureFrom: Timestamp(nanoseconds: nanoseconds))
        }
    }
}
