import AuthScanSessions

/// Runs the rules over one chain after the other.
struct Assessor: Sendable {
    private let context: CaptureContext

    /// The chains in order; each is numbered by itself, as are its findings, from 1.
    private(set) var chains: [DiagnosedChain] = []

    /// The connections that kept rules from being assessed, by rule and reason.
    private(set) var lacks: [NotAssessed: Set<Int>] = [:]

    /// What each rule needs, by its place: all of them are asked of every chain.
    private let needs = ruleFacts.map(\.needs)

    init(_ context: CaptureContext) { self.context = context }

    /// Runs the rules over the chains of some of the sessions.
    mutating func assess(_ range: Range<Int>, of sessions: [ClientSession]) {
        for index in range {
            sessions.prefetch(behind: index)
            assess(sessions[index])
        }
    }

    private mutating func assess(_ session: ClientSession) {
        let chain = Chain(session, in: context)
        let found = findings(in: chain)
        // Tickets alone are no HTTP authentication: only a refusal makes them worth a chain.
        guard !found.isEmpty || chain.isAboutAuthentication && !session.isKDCTraffic else { return }
        let findings = number(rank(found))
        let breakpoint = chain.breakpoint(explainedBy: findings)
        chains.append(
            DiagnosedChain(
                number: 1,
                session: session,
                bareTLS: chain.bareTLS,
                steps: chain.steps(breakpoint: breakpoint),
                verdict: chain.verdict(breakpoint: breakpoint),
                breakpoint: breakpoint,
                findings: findings
            )
        )
    }

    /// Hands over what was said of the chains.
    mutating func takeChains() -> [DiagnosedChain] { exchange(&chains, with: []) }

    private mutating func findings(in chain: Chain) -> [Finding] {
        var findings: [Finding] = []
        let absent = ChainTraits(rawValue: ~chain.traits.rawValue)
        // Where there is no HTTP, rules about HTTP have nothing to say.
        let isKDCTraffic = chain.session.isKDCTraffic
        let needs = self.needs
        for place in needs.indices
        where needs[place].isDisjoint(with: absent) && (!isKDCTraffic || needs[place].contains(.kdc)) {
            switch allRules[place].findings(in: chain) {
            case .found(var found):
                for index in found.indices { found[index].place = place }
                // Mostly one rule has anything to say: its list need not be copied.
                if findings.isEmpty { findings = found } else { findings += found }
            case .clear, .notApplicable: break
            case .cannotTell(let incompleteness): note(ruleFacts[place].id, incompleteness)
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
    private func rank(_ findings: consuming [Finding]) -> [Finding] {
        guard findings.count > 1 else { return findings }
        // Closures take hold of what stays.
        let findings = findings
        var kept = findings.filter { finding in
            !findings.contains { $0.supersedes(finding) }
        }
        for index in kept.indices where kept.contains(where: { $0.isCause(of: kept[index]) }) {
            kept[index].severity = .note
        }
        return kept.sorted { ($1.severity, $0.packets.first ?? 0) < ($0.severity, $1.packets.first ?? 0) }
    }

    private func number(_ findings: consuming [Finding]) -> [Finding] {
        var numbered = findings
        for index in numbered.indices { numbered[index].number = index + 1 }
        for index in numbered.indices where numbered.count > 1 {
            numbered[index].explains = numbered.filter { numbered[index].isCause(of: $0) }.map(\.number)
        }
        return numbered
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
