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

    /// The numbers of its findings, in order.
    public internal(set) var findings: [Int]
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
    public internal(set) var findings: [Finding] = []

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
            for session in sessions.sessions[range] { assessor.assess(session) }
            return assessor
        }
        var builder = DiagnosisBuilder(limits)
        for index in parts.indices {
            builder.take(parts[index])
            // What is numbered need not be kept twice.
            parts[index] = Assessor(context)
        }
        return builder.finish()
    }
}

/// Puts together what was said of one part of the chains after the other: numbers the chains and findings, and keeps within the limits.
private struct DiagnosisBuilder {
    private let limits: Limits
    private var result = Diagnosis()
    /// How many findings each rule has, by its place.
    private var counts = [Int](repeating: 0, count: allRules.count)
    private var lacks: [NotAssessed: Set<Int>] = [:]

    init(_ limits: Limits) { self.limits = limits }

    mutating func take(_ part: Assessor) {
        for assessment in part.assessments { take(assessment) }
        lacks.merge(part.lacks) { $0.union($1) }
    }

    private mutating func take(_ assessment: ChainAssessment) {
        var chain = assessment.chain
        chain.number = result.chains.count + 1
        defer { result.chains.append(chain) }
        if assessment.findings.isEmpty { return }
        let numbers = numbers(for: assessment.findings)
        for (index, number) in numbers.enumerated() {
            guard let number else { continue }
            var finding = assessment.findings[index]
            finding.number = number
            finding.chain = chain.number
            finding.explains = finding.explains.compactMap { numbers[$0 - 1] }
            result.findings.append(finding)
        }
        chain.findings = numbers.compactMap(\.self)
        let explanation = chain.breakpoint?.finding.flatMap { numbers[$0 - 1] }
        chain.breakpoint?.finding = explanation
    }

    /// The numbers of a chain's findings; `nil` for those beyond the limit.
    private mutating func numbers(for findings: [Finding]) -> [Int?] {
        var last = result.findings.count
        return findings.map { finding in
            counts[finding.place] += 1
            guard counts[finding.place] <= limits.findingsPerRule else { return nil }
            last += 1
            return last
        }
    }

    mutating func finish() -> Diagnosis {
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
        return result
    }
}
