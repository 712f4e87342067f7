/// How many exchanges ended in each way.
struct OutcomeCounts: Equatable {
    private var counts = SIMD8<UInt32>()

    subscript(outcome: AuthenticationExchange.Outcome) -> Int { Int(counts[outcome.place]) }

    /// Counts an exchange.
    mutating func add(_ outcome: AuthenticationExchange.Outcome) { counts[outcome.place] &+= 1 }

    /// Adds what was counted elsewhere.
    mutating func add(_ other: OutcomeCounts) { counts &+= other.counts }
}

extension AuthenticationExchange.Outcome {
    /// Where it is counted.
    fileprivate var place: Int {
        switch self {
        case .accepted: 0
        case .rejected: 1
        case .broken: 2
        case .abandoned: 3
        case .unknown: 4
        }
    }
}
