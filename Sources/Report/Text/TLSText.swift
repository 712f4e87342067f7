import AuthScanWire

/// What the inventory says of TLS.
enum TLSText {
    /// How many connections there are, of which versions, how far they could be read, and what was refused; `nil` for none.
    static func summary(_ connections: [TLSConnection]) -> String? {
        guard !connections.isEmpty else { return nil }
        var parts = [counted(connections.count, "connection")]
        parts += tally(connections.map { $0.version?.description ?? "unknown version" })
        parts += tally(connections.map(reading))
        let refused = connections.count { $0.finishedPacket == nil && !fatalAlerts($0).isEmpty }
        if refused > 0 { parts.append("\(refused) refused in the handshake") }
        let asked = connections.count { $0.certificateRequest != nil }
        if asked > 0 { parts.append("\(asked) asked for the client's certificate") }
        return parts.joined(separator: ", ")
    }

    /// `2 TLS 1.3`, the most frequent first.
    private static func tally(_ words: [String]) -> [String] {
        var counts: [String: Int] = [:]
        for word in words { counts[word, default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
    }

    private static func reading(_ connection: TLSConnection) -> String {
        switch connection.decryption {
        case .complete: "decrypted"
        case .partial: "decrypted in part"
        case .notNeeded: "without protected content"
        case .noSecrets: "not decrypted (no secrets)"
        case .wrongSecrets: "not decrypted (the secrets do not fit)"
        case .unsupported: "not decrypted (unsupported cipher suite)"
        case .handshakeMissing: "not decrypted (handshake not captured)"
        }
    }

    private static func fatalAlerts(_ connection: TLSConnection) -> [TLSAlert] {
        connection.alerts.filter { $0.isDuringHandshake && $0.isFatal != false }
    }
}
