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
}
