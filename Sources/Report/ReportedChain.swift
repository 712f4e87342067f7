public import AuthScanDiagnosis
public import AuthScanSessions
public import AuthScanWire

/// One client in one protection space, as reports show it.
public final class ReportedChain: Sendable {
    /// Its number, counted from 1 in the order in which chains begin.
    public let number: Int

    /// The ten steps, in order.
    public let steps: [StepResult]

    /// What the user ends up with.
    public let verdict: Verdict

    /// The first step that fails; `nil` where none does.
    public let breakpoint: Breakpoint?

    /// What the rules found, heaviest first.
    public let findings: [Finding]

    private enum Conversation {
        case readable(ClientSession)
        /// The capture shows nothing but encrypted connections.
        case encrypted(client: IPAddress, process: UInt32, space: ProtectionSpace)
    }

    /// The TLS of the connections on which no application was heard.
    let bareTLS: [TLSConnection]

    private let conversation: Conversation

    /// What the rules made of a session.
    init(_ chain: DiagnosedChain) {
        number = chain.number
        steps = chain.steps
        verdict = chain.verdict
        breakpoint = chain.breakpoint
        findings = chain.findings
        bareTLS = chain.bareTLS
        conversation = .readable(chain.session)
    }

    /// A client and a server of whose conversation the capture shows that it is encrypted.
    private init(number: Int, space: Int, connection: Connection) {
        let origin = Origin(scheme: "https", endpoint: connection.server)
        self.number = number
        steps = ChainStep.allCases.map { step in
            let isAccepted = step == .connect && connection.isAccepted
            let packet = isAccepted ? connection.firstPacket : nil
            return StepResult(step: step, state: isAccepted ? .ok : .cannotTell, packet: packet)
        }
        verdict = .cannotTell
        breakpoint = nil
        findings = []
        bareTLS = []
        conversation = .encrypted(
            client: connection.client.address,
            process: connection.processNumber,
            space: ProtectionSpace(number: space, origin: origin, realm: nil, isProxy: false, schemes: [])
        )
    }
}

extension ReportedChain {
    /// The transactions and exchanges; `nil` where the capture shows nothing but encrypted connections.
    private var session: ClientSession? { if case .readable(let session) = conversation { session } else { nil } }

    /// The client's address.
    public var client: IPAddress {
        switch conversation {
        case .readable(let session): session.client
        case .encrypted(let client, _, _): client
        }
    }

    /// The protection space.
    public var space: ProtectionSpace {
        switch conversation {
        case .readable(let session): session.space
        case .encrypted(_, _, let space): space
        }
    }

    /// The number of the protection space.
    var spaceNumber: Int {
        switch conversation {
        case .readable(let session): session.space.number
        case .encrypted(_, _, let space): space.number
        }
    }

    /// The client's process; `nil` where the capture names none.
    func process(in capture: WireCapture) -> ProcessInformation? {
        switch conversation {
        case .readable(let session):
            (session.entries.first?.transaction.connection ?? session.bareConnections.first).flatMap {
                capture.process(of: capture.connections[$0 - 1])
            }
        case .encrypted(_, let process, _): capture.process(process)
        }
    }

    /// Whether nothing is known of it but its encrypted connections.
    public var isUnreadable: Bool { session == nil }

    /// The tries to authenticate, in the order in which they begin.
    public var exchanges: [AuthenticationExchange] { session?.exchanges ?? [] }

    /// What the client asked key distribution centers that bears on it, in packet order.
    public var kdcExchanges: [KDCExchange] { session?.kdcExchanges ?? [] }

    /// The numbers of its transactions, in packet order.
    public var transactions: [Int] { session?.entries.map(\.transaction.number) ?? [] }

    /// Whether its requests are meant for a host; those of a proxy's chain are meant for the hosts behind the proxy.
    func concerns(_ host: HostSelector, in capture: WireCapture) -> Bool {
        host.matches(space.origin) || session?.entries.contains { host.matches($0.transaction.origin) } == true
            || connections(in: capture).contains { host.matches(capture.connections[$0 - 1].server) }
    }

    /// The numbers of its connections, each once, in order.
    func connections(in capture: WireCapture) -> [Int] {
        switch conversation {
        case .readable(let session):
            return Set(session.entries.map(\.transaction.connection) + session.bareConnections).sorted()
        case .encrypted(let client, let process, let space):
            return capture.connections.filter {
                $0.client.address == client && $0.processNumber == process
                    && Origin(scheme: "https", endpoint: $0.server) == space.origin
            }.map(\.number)
        }
    }

    /// One of its transactions, by number; `nil` for another chain's.
    func transaction(_ number: Int) -> Transaction? {
        session?.entries.first { $0.transaction.number == number }?.transaction
    }

    /// A chain for each client and server with encrypted connections, for a capture that has nothing else.
    ///
    /// Beside readable chains they would be noise. They are numbered on from `count`, and their protection spaces from
    /// `spaces`, the counts of those that there are already.
    static func unreadable(in capture: WireCapture, after count: Int, spaces: Int) -> [ReportedChain] {
        struct Key: Hashable {
            let client: IPAddress
            let process: UInt32
            let server: Endpoint
        }
        var spaceByServer: [Endpoint: Int] = [:]
        var seen: Set<Key> = []
        var chains: [ReportedChain] = []
        for connection in capture.connections where connection.isEncrypted {
            let key = Key(
                client: connection.client.address,
                process: connection.processNumber,
                server: connection.server
            )
            guard seen.insert(key).inserted else { continue }
            let space = spaceByServer[connection.server] ?? spaces + spaceByServer.count + 1
            spaceByServer[connection.server] = space
            chains.append(ReportedChain(number: count + chains.count + 1, space: space, connection: connection))
        }
        return chains
    }
}
