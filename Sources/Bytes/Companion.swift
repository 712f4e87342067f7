/// Runs work beside its caller, one piece after the other in the order in which they are handed over.
///
/// The stages start no threads: whoever calls them says how work is run, and what comes out is the same either way.
public struct Companion: Sendable {
    /// A piece of work.
    public typealias Work = @Sendable () -> Void

    private let submit: @Sendable (@escaping Work) -> Void
    private let join: @Sendable () -> Void

    /// The caller itself: work is done at once.
    public static let none = Companion(submit: { $0() }, join: {})

    /// States how work is handed over, which may wait until there is room for it, and how to wait until all of it is done.
    public init(submit: @escaping @Sendable (@escaping Work) -> Void, join: @escaping @Sendable () -> Void) {
        self.submit = submit
        self.join = join
    }

    /// Hands a piece of work over.
    public func perform(_ work: @escaping Work) { submit(work) }

    /// Waits until all work is done that was handed over.
    public func finish() { join() }
}
