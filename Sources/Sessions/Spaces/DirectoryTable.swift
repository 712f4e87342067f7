/// Which protection space guards which directories of a server, as far as requests have shown.
///
/// - Source: RFC 7617 §2.2.
struct DirectoryTable {
    /// The first space that was seen to guard each directory; a directory is a path up to its last slash.
    private var spaces: [ArraySlice<UInt8>: Int] = [:]
    /// How many directories each space is known to guard.
    private var counts: [Int: Int] = [:]
    /// What is not in the table yet: where a server has one space, nobody ever asks.
    private var unsorted: [(transaction: Transaction, space: Int)] = []

    /// How many directories of one space are remembered.
    private static let limit = 64

    /// How many levels are told apart: nobody guards deeper ones, and a hostile path has thousands.
    private static let deepestLevel = 16

    private static let slash = UInt8(ascii: "/")

    /// Notes that a space guards the directory of a request.
    mutating func note(_ transaction: Transaction, in space: Int) { unsorted.append((transaction, space)) }

    /// The space that guards the longest directory that a request lies in; `nil` where none is known to.
    mutating func space(guarding transaction: Transaction) -> Int? {
        for (transaction, space) in unsorted { sort(transaction, in: space) }
        unsorted.removeAll(keepingCapacity: true)
        guard !spaces.isEmpty else { return nil }
        // Nearly always one of the longest is known.
        var directory = DirectoryTable.directory(of: transaction.pathBytes)
        while !directory.isEmpty {
            if let space = spaces[directory] { return space }
            let parentEnd = directory.dropLast().lastIndex(of: DirectoryTable.slash).map { $0 + 1 }
            directory = directory[..<(parentEnd ?? directory.startIndex)]
        }
        return nil
    }

    private mutating func sort(_ transaction: Transaction, in space: Int) {
        guard counts[space] ?? 0 < DirectoryTable.limit else { return }
        let directory = DirectoryTable.directory(of: transaction.pathBytes)
        guard spaces[directory] ?? .max > space else { return }
        spaces[directory] = space
        counts[space, default: 0] += 1
    }

    /// The path up to its last slash, or that of the deepest level.
    private static func directory(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = path.startIndex
        var level = 0
        for index in path.indices where path[index] == slash {
            end = index + 1
            level += 1
            if level == deepestLevel { break }
        }
        return path[..<end]
    }
}
