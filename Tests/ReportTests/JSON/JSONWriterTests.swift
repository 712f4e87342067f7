import AuthScanBytes
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

    private static let workers = Workers(count: 3) { count, body in
        for part in (0..<count).reversed() { body(part) }
    }

    @Test("a long list is the same, whoever writes it", arguments: [0, 1, 2, 700, 8192, 20_000])
    func sharesLists(count: Int) {
        let numbers = Array(0..<count)
        func written(_ workers: Workers) -> String {
            var writer = JSONWriter()
            writer.object { json in
                json.member("a", 1)
                json.key("list")
                json.array(numbers, workers) { json, number in json.object { $0.member("n", number) } }
                json.member("z", 2)
            }
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        let list = numbers.map { "{\"n\":\($0)}" }.joined(separator: ",")
        #expect(written(.one) == "{\"a\":1,\"list\":[\(list)],\"z\":2}")
        #expect(written(Self.workers) == written(.one))
    }

    @Test("what is handed on piece by piece is all of it, in order")
    func handsOnPieces() {
        let texts = (0..<30_000).map { "element \($0) \(String(repeating: "x", count: 100))" }
        var whole = JSONWriter()
        whole.array(texts) { $0.value($1) }
        whole.finish()
        var pieces: [[UInt8]] = []
        withoutActuallyEscaping({ (piece: [UInt8]) in
            pieces.append(piece)
            return true
        }) { handOn in
            var writer = JSONWriter(handOn: handOn)
            writer.array(texts, Self.workers) { $0.value($1) }
            writer.finish()
            #expect(writer.bytes.isEmpty)
        }
        #expect(pieces.count > 2 && pieces.flatMap { $0 } == whole.bytes)
    }

    @Test("nobody is given more who wants no more")
    func stops() {
        let texts = [String](repeating: String(repeating: "x", count: 200), count: 40_000)
        var count = 0
        withoutActuallyEscaping({ (_: [UInt8]) in
            count += 1
            return false
        }) { handOn in
            var writer = JSONWriter(handOn: handOn)
            writer.array(texts, .one) { $0.value($1) }
            writer.finish()
            #expect(writer.isRefused)
        }
        #expect(count == 1)
    }
}
