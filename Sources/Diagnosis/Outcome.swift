/// What a rule says about a chain.
public enum Outcome: Sendable {
    /// The rule applies, in these places.
    case found([Finding])

    /// The rule looked and found nothing.
    case clear

    /// The chain has nothing that the rule is about.
    case notApplicable

    /// The rule would conclude from something missing, and the capture may lack just that.
    case cannotTell(Incompleteness)

    /// `.found`, or `.clear` where the list is empty.
    static func from(_ findings: [Finding]) -> Outcome { findings.isEmpty ? .clear : .found(findings) }
}

/// Why a rule could not be assessed.
public struct Incompleteness: Hashable, Sendable {
    /// The reason, in one phrase without a full stop.
    public let reason: String

    /// The numbers of the connections that lack something; empty where it is the end of the capture.
    public let connections: [Int]

    /// States a reason.
    public init(_ reason: String, connections: [Int] = []) {
        self.reason = reason
        self.connections = connections
    }
}
