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
        let hidden = connections.count { $0.clientHello?.isEncryptedHelloPresent == true }
        if hidden > 0 {
            parts.append("\(hidden) with encrypted_client_hello (not readable, and perhaps without meaning: GREASE)")
        }
        return parts.joined(separator: ", ")
    }

    /// How many QUIC connections there are, of which versions, and where the first few go; `nil` for none.
    static func summary(_ connections: [QUICConnection]) -> String? {
        guard !connections.isEmpty else { return nil }
        let versions = tally(connections.map(\.version.description)).joined(separator: ", ")
        var servers: [String] = []
        for connection in connections where servers.count < serverLimit {
            let server = connection.server.description
            if !servers.contains(server) { servers.append(server) }
        }
        let more = connections.count > servers.count ? " and more" : ""
        return counted(connections.count, "connection")
            + ", not readable: \(versions), to \(servers.joined(separator: ", "))\(more)"
    }

    /// How many servers of QUIC are named.
    private static let serverLimit = 3

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

extension TLSText {
    /// What one handshake shows, a line a message, with its packet.
    static func messages(of tls: TLSConnection) -> [(packet: Int, text: String)] {
        var messages: [(packet: Int, text: String)] = []
        func note(_ packet: Int?, _ text: String) { if let packet { messages.append((packet, text)) } }
        let host = tls.clientHello?.serverName.map { " for \(PrintableText.visible($0))" } ?? ""
        note(tls.clientHello?.packet, "→ TLS ClientHello\(host)")
        note(tls.serverHelloPacket, "← TLS ServerHello\(tls.version.map { ", \($0)" } ?? "")")
        let name = tls.serverCertificate?.commonName.map { " of \(PrintableText.visible($0))" } ?? ""
        note(tls.serverCertificatePacket, "← TLS Certificate\(name)")
        note(tls.certificateRequest?.packet, "← TLS CertificateRequest")
        let answer = tls.clientCertificates.isEmpty ? ", empty" : ""
        note(tls.clientCertificatePacket, "→ TLS Certificate\(answer)")
        for alert in tls.alerts where alert.description != .closeNotify {
            let what = alert.description.map { "\($0) (\($0.rawValue))" } ?? "encrypted"
            note(alert.packet, "\(alert.from == .client ? "→" : "←") TLS alert \(what)")
        }
        return messages
    }
}
