import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct ProcessorTimeTests {
    @Test("work counts, and waiting does not")
    func countsWorkAlone() {
        #expect(processorTime { usleep(200_000) } < .milliseconds(100))
        var generator = SeededGenerator(seed: 1)
        var sum: UInt64 = 0
        let time = processorTime { for _ in 0..<200_000 { sum &+= generator.next() } }
        #expect(time > .zero && sum != 0)
    }

    @Test("what the body throws comes through")
    func letsErrorsThrough() {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try processorTime { throw Failure() } }
    }
}
