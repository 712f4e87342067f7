import AuthScanSessions
import Testing

@Suite struct HTTPDateTests {
    @Test(
        "dates are read in the forms of RFC 6265 §5.1.1 and RFC 9110 §5.6.7",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Sat, 01 Mar 2025 00:00:00 GMT", 1_740_787_200),
            ("01 Jan 69", 3_124_224_000), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ]
    )
    func readsDates(text: String, seconds: Int) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(
        "a date without day, month or year is none",
        arguments: ["", "never", "Nov 1994", "06 1994", "06 Nov", "99 Nov"]
    )
    func refusesPartsOfDates(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}
