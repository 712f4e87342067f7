#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How long the processor works on the body, which must stay on its thread: what else the machine does meanwhile does not count.
public func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let start = threadTime()
    try body()
    return threadTime() - start
}

private func threadTime() -> Duration {
    var time = timespec()
    // SAFETY: the call fills in the structure, and keeps nothing of it.
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
