extension RandomAccessCollection {
    /// The first place from which on a condition holds, in a collection where it never fails again once it holds;
    /// `endIndex` where it holds nowhere.
    ///
    /// Complexity: O(log *n*) calls of the condition.
    @inlinable
    public func firstIndexInOrder(where holds: (Element) -> Bool) -> Index {
        var start = startIndex
        var length = count
        while length > 0 {
            let half = length / 2
            let middle = index(start, offsetBy: half)
            if holds(self[middle]) {
                length = half
            } else {
                start = index(after: middle)
                length -= half + 1
            }
        }
        return start
    }
}
