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
    private static let partsForEach = 4

    /// States how parts are run, and how many of them at once.
    public init(count: Int, perform: @escaping Perform) {
        self.count = count
        self.perform = perform
    }

    /// What `body` makes of each of the ranges that together are `0..<elements`, in order.
    public func map<Part: Sendable>(_ elements: Int, _ body: @Sendable (Range<Int>) -> Part) -> [Part] {
        guard elements > 0 else { return [] }
        let parts = count == 1 ? 1 : max(1, min(count * Workers.partsForEach, elements / Workers.smallestPart))
        guard parts > 1 else { return [body(0..<elements)] }
        let results = Mutex<[Int: Part]>([:])
        perform(parts) { part in
            let result = body((elements * part / parts)..<(elements * (part + 1) / parts))
            results.withLock { $0[part] = result }
        }
        return results.withLock { results in (0..<parts).compactMap { results[$0] } }
    }

    /// What two computations give that do not depend on one another.
    public func both<First: Sendable, Second: Sendable>(
        _ first: @Sendable () -> First,
        _ second: @Sendable () -> Second
    ) -> (First, Second) {
        guard count > 1 else { return (first(), second()) }
        let firstResult = Mutex<First?>(nil)
        let secondResult = Mutex<Second?>(nil)
        perform(2) { part in
            if part == 0 {
                let result = first()
                firstResult.withLock { $0 = result }
            } else {
                let result = second()
                secondResult.withLock { $0 = result }
            }
        }
        return (firstResult.withLock { $0 } ?? first(), secondResult.withLock { $0 } ?? second())
    }
}
