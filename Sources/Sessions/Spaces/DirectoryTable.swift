/// Which protection space guards which directories of a server, as far as requests have shown.
///
/// - Source: RFC 7617 §2.2.
struct DirectoryTable {
    private struct Directory {
        let path: ArraySlice<UInt8>
        var space: Int
    }

    /// Each directory once, with the first space that was seen to guard it.
    private var directories: [Directory] = []
    /// The indices of directories by their paths, as soon as there are too many to look at one by one.
    private var indices: [ByteKey: Int] = [:]
    /// How many directories each space is known to guard.
    private var counts: [Int] = []

    /// How many directories are looked at one by one.
    private static let fewDirectories = 16

    /// How many directories of one space are remembered.
    private static let limit = 64

    /// How many levels are told apart: nobody guards deeper ones, and a hostile path has thousands.
    private static let deepestLevel = 16

    private static let slash = UInt8(ascii: "/")

    /// Notes that a space guards the directory of a request.
    mutating func note(_ transaction: Transaction, in space: Int) {
        while counts.count <= space { counts.append(0) }
        guard counts[space] < DirectoryTable.limit else { return }
        let path = DirectoryTable.directory(of: transaction)
        if let index = index(of: path) {
            guard directories[index].space > space else { return }
            directories[index].space = space
        } else {
            append(Directory(path: path, space: space))
        }
        counts[space] += 1
    }

    private mutating func append(_ directory: Directory) {
        directories.append(directory)
        guard directories.count > DirectoryTable.fewDirectories else { return }
        for index in (indices.isEmpty ? 0 : directories.count - 1)..<directories.count {
            indices[ByteKey(bytes: directories[index].path)] = index
        }
    }

    /// The index of a directory; `nil` where no space is known to guard it.
    private func index(of path: ArraySlice<UInt8>) -> Int? {
        if !indices.isEmpty { return indices[ByteKey(bytes: path)] }
        return directories.firstIndex { $0.path.count == path.count && $0.path.elementsEqual(path) }
    }

    /// The space that guards the longest directory that a request lies in; `nil` where none is known to.
    func space(guarding transaction: Transaction) -> Int? {
        guard !directories.isEmpty else { return nil }
        // Nearly always one of the longest is known.
        var path = DirectoryTable.directory(of: transaction)
        while !path.isEmpty {
            if let index = index(of: path) { return directories[index].space }
            let parentEnd = path.dropLast().lastIndex(of: DirectoryTable.slash).map { $0 + 1 }
            path = path[..<(parentEnd ?? path.startIndex)]
        }
        return nil
    }

    /// The path up to its last slash, or that of the deepest level.
    private static func directory(of transaction: Transaction) -> ArraySlice<UInt8> {
        let path = transaction.pathBytes
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
