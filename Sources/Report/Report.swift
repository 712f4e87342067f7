public import AuthScanBytes
public import AuthScanDiagnosis
public import AuthScanSessions
public import AuthScanWire

/// Everything that authscan says about a capture: one value, of which text and JSON are renderings.
public struct Report: Sendable {
    /// The name of the tool that made the report.
    public static let toolName = "authscan"

    /// The version of the tool that made the report.
    public static let toolVersion = "0.1.0"

    /// What the packet stages found.
    public let capture: WireCapture

    /// The exchanges and sessions, with all decoded transactions.
    public let sessions: Sessions

    /// The chains in the order in which they begin.
    public private(set) var chains: [ReportedChain]

    /// The protection spaces in the order in which they are met.
    public let spaces: [ProtectionSpace]

    /// What the secrets that the user believes right say about the exchanges.
    public let proofs: Proofs

    /// What could not be assessed, and why.
    public private(set) var notAssessed: [Unassessed]

    /// The limits that the analysis met.
    public let limitsExceeded: [LimitExceeded]

    /// The host to which the chains are limited; `nil` for a report on all.
    public private(set) var host: String?

    /// The hosts that there are chains of, where there is none of the one that was asked for.
    private(set) var otherHosts: [String] = []

    /// What the capture lacks.
    let lack: Lack

    /// Gathers the results of the stages, and counts what there is, shared out among `workers`.
    public init(
        capture: WireCapture,
        sessions: Sessions,
        diagnosis: Diagnosis,
        proofs: Proofs = .none,
        workers: Workers = .one
    ) {
        self.capture = capture
        self.sessions = sessions
        self.proofs = proofs
        let isReadable = diagnosis.chains.contains { !$0.session.isKDCTraffic }
        let unreadable =
            isReadable
            ? []
            : ReportedChain.unreadable(in: capture, after: diagnosis.chains.count, spaces: sessions.spaces.count)
        let readable = workers.map(diagnosis.chains.count) { $0.map { ReportedChain(diagnosis.chains[$0]) } }
        chains = Workers.gathered(readable) + unreadable
        lack = Report.lack(capture, sessions, workers)
        spaces = unreadable.reduce(into: sessions.spaces) { spaces, chain in
            if chain.space.number > spaces.count { spaces.append(chain.space) }
        }
        notAssessed = Unassessed.all(capture, diagnosis)
        limitsExceeded = capture.limitsExceeded + diagnosis.limitsExceeded
    }

    private static func lack(_ capture: WireCapture, _ sessions: Sessions, _ workers: Workers) -> Lack {
        let connections = workers.map(capture.connections.count) { Lack(capture.connections[$0]) }
        var lack = connections.reduce(into: Lack()) { $0.add($1) }
        lack.unansweredRequests = sessions.unansweredRequests
        lack.missingRequests = sessions.missingRequests
        lack.truncatedPackets = capture.truncatedPackets
        return lack
    }

    /// The same report with the chains of one host alone, and those of the proxies on the way to it.
    ///
    /// - Parameter host: A name or an address, perhaps with a port.
    /// - Returns: The limited report; the inventory stays that of the whole capture.
    public func limited(toHost host: String) -> Report {
        let selector = HostSelector(host)
        var limited = self
        limited.host = host.lowercased()
        limited.chains = chains.filter { $0.concerns(selector, in: capture) }
        let connections = Set(limited.chains.flatMap { $0.connections(in: capture) })
        limited.notAssessed = notAssessed.compactMap { $0.limited(to: connections) }
        limited.otherHosts = limited.chains.isEmpty ? Set(chains.map(\.space.origin.host)).sorted() : []
        return limited
    }

    /// The findings of all chains; their numbers are those of the whole capture.
    public var findings: [Finding] { chains.flatMap(\.findings) }

    /// The heaviest finding; `nil` where there is none.
    public var worstSeverity: Severity? {
        // From the heaviest on: where there is one of these, most chains need not be asked.
        Severity.allCases.sorted(by: >).first { severity in
            chains.contains { $0.findings.contains { $0.severity == severity } }
        }
    }

    /// How many transactions there are.
    var transactionCount: Int { sessions.transactions.count }

    /// How many connections carried TLS that was not decrypted.
    var encryptedConnections: Int { capture.connections.count { $0.isEncrypted } }
}

/// Something that could not be assessed.
public struct Unassessed: Hashable, Sendable {
    /// The rule's id; `*` for all rules that look at content.
    public let rule: String

    /// The numbers of the connections that lack something; empty where it is the capture as a whole.
    public let connections: [Int]

    /// What is missing, in one phrase.
    public let reason: String

    /// The same for some connections alone; `nil` where it concerns none of them.
    func limited(to selected: Set<Int>) -> Unassessed? {
        if connections.isEmpty { return self }
        let rest = connections.filter(selected.contains)
        return rest.isEmpty ? nil : Unassessed(rule: rule, connections: rest, reason: reason)
    }

    static func all(_ capture: WireCapture, _ diagnosis: Diagnosis) -> [Unassessed] {
        let encrypted = capture.connections.filter(\.isEncrypted).map(\.number)
        let tls = encrypted.isEmpty ? [] : [Unassessed(rule: "*", connections: encrypted, reason: "TLS not decrypted")]
        let rules = diagnosis.notAssessed.map {
            Unassessed(rule: $0.rule, connections: $0.incompleteness.connections, reason: $0.incompleteness.reason)
        }
        return rules + tls
    }
}
