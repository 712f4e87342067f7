import Synchronization

/// Shares a computation out whose parts do not depend on one another.
///
/// The stages start no threads: whoever calls them says how parts are run, and what comes out is the same either way.
public struct Workers: Sendable {
    /// Runs a body for each number below a count, in any order, and returns when all are done.
    public typealias Perform = @Sendable (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void

    private let count: Int
    private let perform: Perform

    /// One part after the other.
    public static let one = Workers(count: 1) { count, body in for part in 0..<count { body(part) } }

    /// How many elements are worth a part of their own, and how many parts each worker gets, so that one slow part does
    /// not keep the others waiting.
    private static let smallestPart = 256
    private static let partsForEach = 8

    /// States how parts are run, and how many of them at once.
    public init(count: Int, perform: @escaping Perform) {
        self.count = count
        self.perform = perform
    }

    /// What `body` makes of each of the ranges that together are `0..<elements`, in order.
    public func map<Part: Sendable>(_ elements: Int, _ body: @Sendable (Range<Int>) -> Part) -> [Part] {
        map(elements, body, beside: {}).0
    }

    /// The parts of `0..<elements`.
    private func ranges(_ elements: Int) -> [Range<Int>] {
        guard elements > 0 else { return [] }
        let parts = count == 1 ? 1 : max(1, min(count * Workers.partsForEach, elements / Workers.smallestPart))
        return (0..<parts).map { (elements * $0 / parts)..<(elements * ($0 + 1) / parts) }
    }

    /// The same, while another computation runs beside the parts.
    public func map<Part: Sendable, Other: Sendable>(
        _ elements: Int,
        _ body: @Sendable (Range<Int>) -> Part,
        beside other: @Sendable () -> Other
    ) -> ([Part], Other) {
        let ranges = ranges(elements)
        guard count > 1, ranges.count > 1 else { return (ranges.map(body), other()) }
        return run(ranges.count, { body(ranges[$0]) }, beside: other)
    }

    /// What two computations give that do not depend on one another.
    public func both<First: Sendable, Second: Sendable>(
        _ first: @Sendable () -> First,
        _ second: @Sendable () -> Second
    ) -> (First, Second) {
        guard count > 1 else { return (first(), second()) }
        let (seconds, result) = run(1, { _ in second() }, beside: first)
        return (result, seconds[0])
    }

    /// What `body` makes of each number below a count, in order, while another computation runs beside it.
    private func run<Part: Sendable, Other: Sendable>(
        _ parts: Int,
        _ body: @Sendable (Int) -> Part,
        beside other: @Sendable () -> Other
    ) -> ([Part], Other) {
        let results = Mutex<[Int: Part]>([:])
        let otherResult = Mutex<Other?>(nil)
        perform(parts + 1) { part in
            if part == 0 {
                let result = other()
                otherResult.withLock { $0 = result }
            } else {
                let result = body(part - 1)
                results.withLock { $0[part - 1] = result }
            }
        }
        return (
            results.withLock { results in (0..<parts).compactMap { results[$0] } },
            otherResult.withLock { $0 } ?? other()
        )
    }

    /// The elements of all parts in order: they are moved, not copied, and so not touched.
    @inlinable
    public static func gathered<Element>(_ parts: consuming [[Element]]) -> [Element] {
        guard parts.count > 1 else { return parts.first ?? [] }
        let count = parts.reduce(0) { $0 + $1.count }
        // To move elements is to take them from the end: twice, and they are in order again.
        var backwards: [Element] = []
        backwards.reserveCapacity(count)
        while var part = parts.popLast() {
            while let element = part.popLast() { backwards.append(element) }
        }
        var all: [Element] = []
        all.reserveCapacity(count)
        while let element = backwards.popLast() { all.append(element) }
        return all
    }
}
