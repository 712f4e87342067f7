#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
public import AuthScanBytes
import Dispatch

extension Workers {
    /// As many as the machine runs at once.
    public static let machine = Workers(count: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) { count, body in
        DispatchQueue.concurrentPerform(iterations: count) { body($0) }
    }
}
