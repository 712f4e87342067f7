import AuthScanBytes
import Testing

@testable import AuthScanWire

private func entry(_ name: String, _ id: Int32) -> ProcessTable.Entry {
    var entry = ProcessTable.Entry(id: id)
    for byte in name.utf8 { entry.append(byte) }
    return entry
}

@Suite struct ProcessTableTests {
    @Test func aProcessHasOneNumber() {
        var table = ProcessTable(limits: Limits())
        let web = table.number(of: entry("com.apple.WebKit.Networking", 7), onBehalfOf: entry("App", 8))
        #expect(web == 1)
        #expect(table.number(of: entry("App", 8), onBehalfOf: entry("App", 8)) == 2)
        #expect(table.number(of: entry("App", 8), onBehalfOf: entry("", 0)) == 2)
        #expect(table.number(of: entry("com.apple.WebKit.Networking", 7), onBehalfOf: entry("App", 8)) == web)
        #expect(table.number(of: entry("", 0), onBehalfOf: entry("", -1)) == 0)
        // The first 24 bytes of a name are kept.
        #expect(table.processes.map(\.process.name) == ["com.apple.WebKit.Network", "App"])
        #expect(table.processes.map(\.effective?.name) == ["App", nil])
    }

    @Test(arguments: [
        "", "a", "exactly8", "exactly8+", "sixteen bytes !!", "sixteen bytes !!+", "twenty-four bytes in all",
    ])
    func namesAreKeptWhole(name: String) {
        var table = ProcessTable(limits: Limits())
        _ = table.number(of: entry(name, 5), onBehalfOf: entry("", 0))
        #expect(table.processes.first?.process.name == (name.isEmpty ? nil : name))
    }

    @Test func theTableIsBounded() {
        var limits = Limits()
        limits.processes = 2
        var table = ProcessTable(limits: limits)
        #expect((1...4).map { table.number(of: entry("a", $0), onBehalfOf: entry("", 0)) } == [1, 2, 0, 0])
        #expect(table.number(of: entry("a", 2), onBehalfOf: entry("", 0)) == 2)
    }
}
