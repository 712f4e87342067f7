import AuthScanWire
import Testing

@testable import AuthScanReport

@Suite struct TimestampRFC3339Tests {
    @Test(
        "moments are written in UTC with nanoseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000000000Z"), (1_767_603_600_123_456_789, "2026-01-05T09:00:00.123456789Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000000000Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000000000Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
        ] as [(Int64, String)]
    )
    func formats(nanoseconds: Int64, expected: String) {
        #expect(Timestamp(nanoseconds: nanoseconds).rfc3339 == expected)
    }
}
