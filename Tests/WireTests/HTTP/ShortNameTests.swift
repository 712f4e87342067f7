import Testing

@testable import AuthScanWire

@Suite struct ShortNameTests {
    private func name(_ text: String) -> ShortName {
        withBytes(of: Array(text.utf8)) { ShortName($0, 0..<$0.byteCount) }
    }

    @Test(
        "a name of up to eight bytes comes back as it was",
        arguments: ["GET", "POST", "PROPFIND", "HTTP/1.1", "g", ""]
    )
    func keepsNames(text: String) {
        #expect(name(text).text == text)
        #expect(name(text).isEmpty == text.isEmpty)
    }

    @Test("what is longer is cut, and what is no ASCII is read as text")
    func readsOddNames() {
        #expect(name("HTTP/1.123").text == "HTTP/1.1")
        #expect(name("GÉT").text == "GÉT")
    }

    @Test("the known names are those that are read")
    func knowsNames() {
        let names: [(ShortName, String)] = [
            (.get, "GET"), (.post, "POST"), (.head, "HEAD"), (.connect, "CONNECT"), (.http10, "HTTP/1.0"),
            (.http11, "HTTP/1.1"), (.http2, "HTTP/2"),
        ]
        for (known, text) in names { #expect(name(text) == known && known.text == text) }
        #expect(name("connect") != .connect)
    }
}
