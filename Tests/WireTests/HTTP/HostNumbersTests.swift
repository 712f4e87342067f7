import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct HostNumbersTests {
    private func number(_ name: String, in numbers: inout HostNumbers) -> Int32 {
        withBytes(of: Array(name.utf8)) { numbers.number(of: $0) }
    }

    @Test("a host keeps its number, and another one has another")
    func tellsHostsApart() {
        var numbers = HostNumbers()
        let names = ["intranet.example", "intranet.example:8080", "a", "b", "intranet.exampl"]
        let first = names.map { number($0, in: &numbers) }
        #expect(first == [0, 1, 2, 3, 4])
        #expect(names.map { number($0, in: &numbers) } == first)
        #expect(numbers.count == 5)
    }

    @Test("what is empty or too long has no number")
    func leavesOutWhatIsTooLong() {
        var numbers = HostNumbers()
        #expect(number("", in: &numbers) == -1)
        #expect(number(String(repeating: "x", count: 65), in: &numbers) == -1)
        #expect(number(String(repeating: "x", count: 64), in: &numbers) == 0)
    }

    @Test("however many hosts there are, no two have the same number", arguments: 0..<UInt64(5))
    func neverMixesUp(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var numbers = HostNumbers()
        var hosts: [Int32: String] = [:]
        for _ in 0..<40_000 {
            let name = "h\(Int.random(in: 0..<20_000, using: &generator)).example"
            let number = number(name, in: &numbers)
            #expect(hosts[number] == nil || hosts[number] == name)
            hosts[number] = name
        }
    }
}
