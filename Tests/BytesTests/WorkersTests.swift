import Synchronization
import Testing

@testable import AuthScanBytes

@Suite struct WorkersTests {
    /// Runs the parts back to front, as a machine with many cores may.
    private static let backwards = Workers(count: 8) { count, body in
        for part in (0..<count).reversed() { body(part) }
    }

    @Test("the parts are ranges in order that together cover everything", arguments: [0, 1, 255, 256, 511, 512, 5000])
    func coversEverything(elements: Int) {
        for workers in [Workers.one, Self.backwards] {
            let ranges = workers.map(elements) { $0 }
            #expect(ranges.flatMap(Array.init) == Array(0..<elements))
            #expect(ranges.allSatisfy { !$0.isEmpty })
        }
    }

    @Test("one worker gets everything in one part, and few elements are not shared out")
    func sharesOutOnlyWhatIsWorthIt() {
        #expect(Workers.one.map(100_000) { $0 } == [0..<100_000])
        #expect(Self.backwards.map(300) { $0 } == [0..<300])
        #expect(Self.backwards.map(100_000) { $0 }.count == 64)
    }

    @Test("each part is run once")
    func runsEachPartOnce() {
        let runs = Mutex(0)
        let parts = Self.backwards.map(100_000) { range in
            runs.withLock { $0 += 1 }
            return range
        }
        #expect(parts.count == runs.withLock { $0 })
    }

    @Test("of two computations both results come, whoever is first")
    func runsBoth() {
        for workers in [Workers.one, Self.backwards] {
            let (number, text) = workers.both({ 7 }, { "seven" })
            #expect(number == 7 && text == "seven")
        }
    }

    @Test("a computation beside the parts is run once, and its result comes with theirs", arguments: [0, 300, 100_000])
    func runsAnotherBeside(elements: Int) {
        for workers in [Workers.one, Self.backwards] {
            let runs = Mutex(0)
            let (ranges, other) = workers.map(elements) {
                $0
            } beside: {
                runs.withLock {
                    $0 += 1
                    return $0
                }
            }
            #expect(ranges.flatMap(Array.init) == Array(0..<elements))
            #expect(other == 1 && runs.withLock { $0 } == 1)
        }
    }

    @Test("the elements of all parts are gathered in order")
    func gathersParts() {
        #expect(Workers.gathered([[Int]]()) == [])
        #expect(Workers.gathered([["a", "b"]]) == ["a", "b"])
        #expect(Workers.gathered([["a", "b"], [], ["c"], ["d", "e"]]) == ["a", "b", "c", "d", "e"])
    }
}
