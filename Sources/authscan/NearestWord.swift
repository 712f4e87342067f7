/// The known word with the smallest edit distance; `nil` where none is near.
func nearest(to word: String, among known: [String]) -> String? {
    known.map { (word: $0, distance: editDistance(Array(word.utf8), Array($0.utf8))) }
        .filter { $0.distance <= max(2, word.utf8.count / 3) }
        .min { $0.distance < $1.distance }?.word
}

/// How many letters must be put in, taken out or replaced to make one word of the other.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard left.count < 100 else { return .max }
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in right.indices {
            let replaced = diagonal + (letter == right[column] ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}
