public import AuthScanBytes
public import AuthScanSessions
public import AuthScanWire

/// A chain with its steps, its verdict, and where it breaks.
public struct DiagnosedChain: Sendable {
    /// Its number, counted from 1 in the order in which chains begin.
    public internal(set) var number: Int

    /// The client and protection space, with their transactions and exchanges.
    public let session: ClientSession

    /// The TLS of the connections on which no application was heard.
    public let bareTLS: [TLSConnection]

    /// The ten steps, in order.
    public internal(set) var steps: [StepResult]

    /// What the user ends up with.
    public let verdict: Verdict

    /// The first step that fails; `nil` where none does.
    public internal(set) var breakpoint: Breakpoint?

    /// Its findings, in the order of their weight and place.
    public internal(set) var findings: [Finding]
}

/// A rule that could not be assessed, and why.
public struct NotAssessed: Hashable, Sendable {
    /// The rule's id.
    public let rule: String

    /// What is missing.
    public let incompleteness: Incompleteness
}

/// Everything that the rules say about a capture.
public struct Diagnosis: Sendable {
    /// The chains in the order in which they begin.
    public internal(set) var chains: [DiagnosedChain] = []

    /// The findings in the order of their chains, and in a chain of their weight and place; number *n* is at *n* − 1.
    public var findings: [Finding] { chains.flatMap(\.findings) }

    /// What could not be assessed, each rule and reason once.
    public internal(set) var notAssessed: [NotAssessed] = []

    /// Findings beyond `Limits.findingsPerRule`, by rule.
    public internal(set) var limitsExceeded: [LimitExceeded] = []

    /// Builds the chains and runs every rule on them, shared out among `workers`; `proofs` is what is known about the captured
    /// proofs.
    public static func diagnose(
        _ sessions: Sessions,
        of capture: WireCapture,
        proofs: Proofs = .none,
        limits: Limits = Limits(),
        workers: Workers = .one
    ) -> Diagnosis {
        let context = CaptureContext(capture, sessions, proofs: proofs, workers: workers)
        var parts = workers.map(sessions.sessions.count) { range in
            var assessor = Assessor(context)
            assessor.assess(range, of: sessions.sessions)
            return assessor
        }
        var builder = DiagnosisBuilder(limits)
        for index in parts.indices { builder.take(&parts[index]) }
        return builder.finish()
    }
}

/// Puts together what was said of one part of the chains after the other: numbers the chains and findings, and keeps within the limits.
private struct DiagnosisBuilder {
    private let limits: Limits
    private var chains: [[DiagnosedChain]] = []
    private var chainCount = 0
    private var findingCount = 0
    /// How many findings each rule has, by its place.
    private var counts = [Int](repeating: 0, count: allRules.count)
    private var lacks: [NotAssessed: Set<Int>] = [:]

    init(_ limits: Limits) { self.limits = limits }

    /// Takes the chains of the next part, which are numbered where they lie.
    mutating func take(_ part: inout Assessor) {
        var chains = part.takeChains()
        for index in chains.indices { number(&chains[index]) }
        self.chains.append(chains)
        lacks.merge(part.lacks) { $0.union($1) }
    }

    private mutating func number(_ chain: inout DiagnosedChain) {
        chainCount += 1
        chain.number = chainCount
        if chain.findings.isEmpty { return }
        let numbers = numbers(for: chain.findings)
        for index in chain.findings.indices {
            chain.findings[index].number = numbers[index] ?? 0
            chain.findings[index].chain = chain.number
            if chain.findings[index].explains.isEmpty { continue }
            chain.findings[index].explains = chain.findings[index].explains.compactMap { numbers[$0 - 1] }
        }
        if numbers.contains(nil) { chain.findings.removeAll { $0.number == 0 } }
        let explanation = chain.breakpoint?.finding.flatMap { numbers[$0 - 1] }
        chain.breakpoint?.finding = explanation
    }

    /// The numbers of a chain's findings; `nil` for those beyond the limit.
    private mutating func numbers(for findings: [Finding]) -> [Int?] {
        findings.indices.map { index in
            let place = findings[index].place
            counts[place] += 1
            guard counts[place] <= limits.findingsPerRule else { return nil }
            findingCount += 1
            return findingCount
        }
    }

    mutating func finish() -> Diagnosis {
        var result = Diagnosis()
        result.notAssessed = lacks.map { lack, connections in
            NotAssessed(
                rule: lack.rule,
                incompleteness: Incompleteness(lack.incompleteness.reason, connections: connections.sorted())
            )
        }.sorted { ($0.rule, $0.incompleteness.reason) < ($1.rule, $1.incompleteness.reason) }
        result.limitsExceeded = counts.indices.filter { counts[$0] > limits.findingsPerRule }.map {
            LimitExceeded(
                limit: "findings of \(ruleFacts[$0].id)",
                value: limits.findingsPerRule,
                leftOut: counts[$0] - limits.findingsPerRule
            )
        }.sorted { $0.limit < $1.limit }
        // Nobody else may hold what is moved.
        result.chains = Workers.gathered(exchange(&chains, with: []))
        return result
    }
}
