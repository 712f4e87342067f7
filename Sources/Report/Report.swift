public import AuthScanDiagnosis
public import AuthScanSessions
public import AuthScanWire

/// Everything that authscan says about a capture: one value, of which text and JSON are renderings.
public struct Report: Sendable {
    /// The version of the tool that made the report.
    public static let toolVersion = "0.1.0"

    /// What the packet stages found.
    public let capture: WireCapture

    /// Protection spaces, exchanges and sessions.
    public let sessions: Sessions

    /// Chains and findings.
    public let diagnosis: Diagnosis

    /// Connections whose content could not be read, as chains that nothing can be said about.
    public let unreadable: [UnreadableChain]

    /// Words for the user about options that this version cannot honour.
    public let remarks: [String]

    /// Gathers the results of the stages.
    public init(capture: WireCapture, sessions: Sessions, diagnosis: Diagnosis, remarks: [String] = []) {
        self.capture = capture
        self.sessions = sessions
        self.diagnosis = diagnosis
        self.remarks = remarks
        unreadable = diagnosis.chains.isEmpty ? UnreadableChain.all(in: capture) : []
    }

    /// The heaviest finding; `nil` where there is none.
    public var worstSeverity: Severity? { diagnosis.findings.map(\.severity).max() }

    /// The connections that carried TLS, which this version does not read.
    var encryptedConnections: [Connection] { capture.connections.filter(\.isEncrypted) }
}

/// One client at one server whose connections are all encrypted.
///
/// Only where a capture has nothing else are these reported as chains: beside readable ones they would be noise.
public struct UnreadableChain: Sendable {
    /// The client's address.
    public let client: IPAddress

    /// The server.
    public let server: Endpoint

    /// Its first connection.
    public let connection: Connection

    static func all(in capture: WireCapture) -> [UnreadableChain] {
        struct Key: Hashable {
            let client: IPAddress
            let server: Endpoint
        }
        var seen: Set<Key> = []
        return capture.connections.compactMap { connection in
            guard connection.isEncrypted,
                seen.insert(Key(client: connection.client.address, server: connection.server)).inserted
            else { return nil }
            return UnreadableChain(
                client: connection.client.address,
                server: connection.server,
                connection: connection
            )
        }
    }
}
