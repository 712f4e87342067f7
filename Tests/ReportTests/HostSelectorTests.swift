import AuthScanSessions
import Testing

@testable import AuthScanReport

@Suite struct HostSelectorTests {
    private func matches(_ text: String, _ host: String, _ port: Int = 80) -> Bool {
        HostSelector(text).matches(Origin(scheme: "http", host: host, port: port))
    }

    @Test func comparesNamesAsPeopleWriteThem() {
        for text in [
            "a.example", "A.Example", "a.example.", "http://a.example", "https://a.example/x:y", "a.example:80",
        ] {
            #expect(matches(text, "a.example"), "\(text)")
        }
        #expect(matches("a.example", "a.example.") && matches("a.example", "a.example", 8080))
        #expect(!matches("a.example:81", "a.example") && !matches("example", "a.example") && !matches("", "a.example"))
    }

    @Test func comparesAddresses() {
        for text in ["2001:db8::1", "[2001:DB8::1]", "[2001:db8::1]:80"] {
            #expect(matches(text, "[2001:db8::1]"), "\(text)")
        }
        #expect(!matches("[2001:db8::1]:81", "[2001:db8::1]"))
        #expect(matches("192.0.2.1", "192.0.2.1", 8080) && !matches("192.0.2.1:80", "192.0.2.1", 8080))
    }
}
