/// Which protection space guards which directories of a server, as far as requests have shown.
///
/// - Source: RFC 7617 §2.2.
struct DirectoryTable {
    /// The first space that was seen to guard each directory.
    private var spaces: [Substring: Int] = [:]
    /// How many directories each space is known to guard.
    private var counts: [Int: Int] = [:]
    /// What is not in the tables yet: where a server has one space, nobody ever asks.
    private var unsorted: [(transaction: Transaction, space: Int)] = []

    /// How many directories of one space are remembered.
    private static let limit = 64

    /// Notes that a space guards the directory of a request.
    mutating func note(_ transaction: Transaction, in space: Int) { unsorted.append((transaction, space)) }

    /// The space that guards the longest prefix of a path; `nil` where none is known to.
    mutating func space(guarding path: Substring) -> Int? {
        for (transaction, space) in unsorted { sort(transaction.path, in: space) }
        unsorted.removeAll(keepingCapacity: true)
        var best: Int?
        path.forEachDirectory { best = spaces[$0] ?? best }
        return best
    }

    private mutating func sort(_ path: Substring, in space: Int) {
        let count = counts[space] ?? 0
        guard count < DirectoryTable.limit else { return }
        var directory: Substring = "/"
        path.forEachDirectory { directory = $0 }
        guard spaces[directory] ?? .max > space else { return }
        spaces[directory] = space
        counts[space] = count + 1
    }
}

extension Substring {
    /// Hands the path's directories to `body`, from the shortest to the longest, each with its last slash.
    ///
    /// Those deeper than 16 levels are passed over: nobody guards them apart, and a hostile path has thousands.
    fileprivate func forEachDirectory(_ body: (Substring) -> Void) {
        var rest = utf8[...]
        for _ in 0..<16 {
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return }
            body(self[...slash])
            rest = rest[rest.index(after: slash)...]
        }
    }
}
