import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Whether the user has asked, with Ctrl-C, for the capture to end.
enum Interruption {
    private static let isRequested = Atomic(false)

    /// Runs the body with `SIGINT` and `SIGTERM` noted instead of obeyed; afterwards they end the program again.
    static func whileNoted<Result, Failure: Error>(
        _ body: (_ isStopped: () -> Bool) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Also sees to it that the flag is there before a signal comes.
        isRequested.store(false, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            _ = signal(number) { _ in Interruption.isRequested.store(true, ordering: .relaxed) }
            Interruption.unblock(number)
        }
        defer { for number in [SIGINT, SIGTERM] { _ = signal(number, SIG_DFL) } }
        return try body { isRequested.load(ordering: .relaxed) }
    }

    /// Lets a signal through, which a program that starts this one from a thread of its own may have left blocked.
    private static func unblock(_ number: CInt) {
        var signals = sigset_t()
        // SAFETY: the set is plain data that is filled in and read within the calls.
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
