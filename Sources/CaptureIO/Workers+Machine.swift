#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
public import AuthScanBytes
import Dispatch

extension Workers {
    /// How many threads the machine runs at once.
    static let machineCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// As many as the machine runs at once.
    public static let machine = Workers(count: machineCount) { count, body in
        DispatchQueue.concurrentPerform(iterations: count) {
            Heap.useLargePages()
            body($0)
        }
    }
}
