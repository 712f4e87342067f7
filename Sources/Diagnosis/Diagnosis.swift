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

    /// Builds the chains and runs every rule on them.
    public static func diagnose(_ sessions: Sessions, of capture: WireCapture, limits: Limits = Limits()) -> Diagnosis {
        var run = DiagnosisRun(context: CaptureContext(capture, sessions), limits: limits)
        for session in sessions.sessions { run.diagnose(session) }
        return run.finish()
    }
}

/// Runs the rules over one chain after the other and gathers what they say.
private struct DiagnosisRun {
    let context: CaptureContext
    let limits: Limits
    /// What each rule needs: asked of every rule for every chain.
    private let needs = allRules.map(\.needs)
    private var result = Diagnosis()
    /// How many findings each rule has, by its place.
    private var counts = [Int](repeating: 0, count: allRules.count)
    private var lacks: [NotAssessed: Set<Int>] = [:]

    init(context: CaptureContext, limits: Limits) {
        self.context = context
        self.limits = limits
    }

    mutating func diagnose(_ session: ClientSession) {
        let chain = Chain(session, in: context)
        let findings = ruleFindings(in: chain)
        // Tickets alone are no HTTP authentication: only a refusal makes them worth a chain.
        guard !findings.isEmpty || chain.isAboutAuthentication && !session.isKDCTraffic else { return }
        let number = result.chains.count + 1
        let kept = keep(rank(findings), chain: number)
        let breakpoint = chain.breakpoint(explainedBy: kept)
        result.chains.append(
            DiagnosedChain(
                number: number,
                session: session,
                bareTLS: chain.bareTLS,
                steps: chain.steps(breakpoint: breakpoint),
                verdict: chain.verdict(breakpoint: breakpoint),
                breakpoint: breakpoint,
                findings: kept.map(\.number)
            )
        )
        result.findings += kept
    }

    private mutating func ruleFindings(in chain: Chain) -> [Finding] {
        var findings: [Finding] = []
        // Where there is no HTTP, rules about HTTP have nothing to say.
        let isKDCTraffic = chain.session.isKDCTraffic
        for place in needs.indices
        where needs[place].isSubset(of: chain.traits) && (!isKDCTraffic || needs[place].contains(.kdc)) {
            switch allRules[place].findings(in: chain) {
            case .found(let found):
                for var finding in found {
                    finding.place = place
                    findings.append(finding)
                }
            case .clear, .notApplicable: break
            case .cannotTell(let incompleteness): note(allRules[place].page.id, incompleteness)
            }
        }
        return findings
    }

    /// Reasons are gathered by rule, so that a capture with a thousand gaps does not fill the report with them.
    private mutating func note(_ rule: String, _ incompleteness: Incompleteness) {
        let key = NotAssessed(rule: rule, incompleteness: Incompleteness(incompleteness.reason))
        lacks[key, default: []].formUnion(incompleteness.connections)
    }

    /// Drops findings that a more specific rule explains, makes notes of consequences, and orders the rest.
    private func rank(_ findings: [Finding]) -> [Finding] {
        guard findings.count > 1 else { return findings }
        var kept = findings.filter { finding in
            !findings.contains { $0.supersedes(finding) }
        }
        for index in kept.indices where kept.contains(where: { $0.isCause(of: kept[index]) }) {
            kept[index].severity = .note
        }
        return kept.sorted { ($1.severity, $0.packets.first ?? 0) < ($0.severity, $1.packets.first ?? 0) }
    }

    private mutating func keep(_ findings: [Finding], chain: Int) -> [Finding] {
        var kept: [Finding] = []
        for var finding in findings {
            counts[finding.place] += 1
            guard counts[finding.place] <= limits.findingsPerRule else { continue }
            finding.chain = chain
            finding.number = result.findings.count + kept.count + 1
            kept.append(finding)
        }
        for index in kept.indices where kept.count > 1 {
            kept[index].explains = kept.filter { kept[index].isCause(of: $0) }.map(\.number)
        }
        return kept
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

extension Finding {
    /// Whether this finding says more precisely what the other says of the same transactions.
    ///
    /// A lighter finding does not: a note on the side must not hide the error that explains the failure.
    fileprivate func supersedes(_ other: Finding) -> Bool {
        severity >= other.severity && ruleFacts[place].supersedes.contains(other.rule) && concernsSame(other)
    }

    /// Whether the other finding is a consequence of this one.
    fileprivate func isCause(of other: Finding) -> Bool {
        place != other.place && ruleFacts[place].explains.contains(other.rule)
    }

    private func concernsSame(_ other: Finding) -> Bool {
        // What happens before any request is known by its connections alone.
        if transactions.isEmpty || other.transactions.isEmpty {
            return !Set(connections).isDisjoint(with: other.connections)
        }
        return !Set(transactions).isDisjoint(with: other.transactions)
    }
}
