import CMemory

extension Array {
    /// Has the system back the room that is reserved by large pages, where it has them.
    ///
    /// A page costs a fault when it is first written to: in a long array that is as much as filling it.
    public mutating func useLargePages() {
        let bytes = capacity &* MemoryLayout<Element>.stride
        // SAFETY: nothing is read or written.
        unsafe withUnsafeMutableBytes { unsafe authscan_use_large_pages($0.baseAddress, bytes) }
    }
}
