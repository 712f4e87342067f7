import CMemory

/// Where a program gets its memory from.
public enum Heap {
    /// The size of an arena of the GNU C library, of which each thread has its own.
    private static let arenaBytes: Int32 = 64 << 20

    /// Has address space made usable an arena at a time, for the whole process; does nothing where the C library is another one.
    ///
    /// By default that is done a page or two at a time, in which the threads of an analysis wait for one another thousands of times.
    /// Memory is taken only where it is written to, either way.
    public static func prepare() { authscan_set_top_pad(arenaBytes) }

    /// Has the calling thread get its memory in large pages, where the system has them; further calls do nothing.
    ///
    /// Each page costs a fault when it is first written to, and half of a long analysis is spent on memory that is written once.
    public static func useLargePages() { authscan_allocate_large_pages(Int(arenaBytes)) }
}
