/// How much a finding matters; the raw value is the `severity` of the JSON report.
public enum Severity: String, Sendable, Comparable, CaseIterable {
    /// Context for whoever looks for a failure.
    case note
    /// A likely cause, or a risk.
    case warning
    /// Explains a failed authentication.
    case error

    /// Orders severities by weight.
    public static func < (lighter: Severity, heavier: Severity) -> Bool { lighter.weight < heavier.weight }

    private var weight: Int {
        switch self {
        case .note: 0;
        case .warning: 1;
        case .error: 2
        }
    }
}

/// How sure a finding is, apart from how much it matters; the raw value is the `confidence` of the JSON report.
public enum Confidence: String, Sendable {
    /// The bytes prove it.
    case certain
    /// One alternative remains, which the message names.
    case likely
    /// A hypothesis.
    case possible
}

/// One place where a rule applies.
public struct Finding: Sendable {
    /// Its number, counted from 1 in the order in which findings begin; 0 until all rules have run.
    public internal(set) var number = 0

    /// The id of the rule that found it.
    public let rule: String

    /// How much it matters here; a rule may weigh one case lighter than its page says.
    public internal(set) var severity: Severity

    /// How sure it is.
    public let confidence: Confidence

    /// The number of its chain; 0 until all rules have run.
    public internal(set) var chain = 0

    /// What happened here, in one sentence without a full stop: facts, no advice.
    public let message: String

    /// The packets that show it, the decisive one first, counted from 1; each once.
    public let packets: [Int]

    /// The numbers of the transactions concerned, in packet order.
    public let transactions: [Int]

    /// The numbers of the connections concerned, in order.
    public let connections: [Int]

    /// The numbers of the findings that are its consequences.
    public internal(set) var explains: [Int] = []

    /// The step that breaks here, where it is another one than the rule's page says.
    var step: ChainStep?

    /// The place of its rule in `allRules`.
    var place = 0

    /// The step that breaks; `nil` where the chain's own events say it best, or nothing breaks.
    var brokenStep: ChainStep? { step ?? ruleFacts[place].step }
}
