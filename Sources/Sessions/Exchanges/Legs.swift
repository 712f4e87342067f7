/// The legs of an exchange, in packet order; never empty.
///
/// Nearly every exchange has one, and a capture may hold a hundred thousand: a single leg needs no list.
public struct Legs: RandomAccessCollection, Sendable {
    private let opening: Leg
    private var following: [Leg] = []

    init(_ opening: Leg) { self.opening = opening }

    /// The index of the first leg: 0.
    public var startIndex: Int { 0 }

    /// How many there are.
    public var endIndex: Int { following.count + 1 }

    /// The leg at a place in the list.
    public subscript(position: Int) -> Leg { position == 0 ? opening : following[position - 1] }

    /// The last leg.
    var latest: Leg { following.isEmpty ? opening : following[following.count - 1] }

    /// What is asked of every transaction, of the one of the last leg.
    var latestSummary: TransactionSummary { (following.last ?? opening).transaction.summary }

    /// Adds a leg that follows the others.
    mutating func append(_ leg: Leg) { following.append(leg) }

    /// Adds the legs that another connection brought.
    mutating func append(contentsOf other: Legs) {
        following.append(other.opening)
        following += other.following
    }
}
