import Foundation
import Testing

@testable import AuthScanReport

@Suite struct JSONWriterTests {
    private func written(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        "what could act on a terminal or turn text around is escaped",
        arguments: [
            ("a\"b\\c", #""a\"b\\c""#), ("\u{1B}[31m", #""\u001b[31m""#), ("a\u{202E}b", #""a\u202eb""#),
            ("\u{2028}", #""\u2028""#), ("\n\t", #""\n\t""#), ("zoë 漢", "\"zoë 漢\""), ("\u{E0001}", #""\udb40\udc01""#),
        ]
    )
    func escapes(text: String, expected: String) { #expect(written(text) == expected) }

    @Test func readsBackAsTheSameValue() throws {
        var writer = JSONWriter()
        writer.object { json in
            json.member("a", [1, 2])
            json.member("b", nil as String?)
            json.key("c")
            json.object { _ in }
            json.member("d", "x\u{7}y")
        }
        let value = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any]
        #expect(value?["a"] as? [Int] == [1, 2])
        #expect(value?["b"] is NSNull)
        #expect(value?["d"] as? String == "x\u{7}y")
    }
}
