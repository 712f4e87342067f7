import AuthScanBytes
import AuthScanSessions
import AuthScanWire

extension Chain {
    /// The TLS of the chain's connections, those without a word included, each once and in their order.
    var tlsConnections: [TLSConnection] {
        guard traits.contains(.tls) else { return [] }
        let numbers = entries.lazy.filter { $0.transaction.isSecure }.map(\.transaction.connection)
        return Set(numbers).union(session.bareConnections).sorted().compactMap(context.tls)
    }

    /// The TLS of the connections on which no application was heard.
    var bareTLS: [TLSConnection] { session.bareConnections.compactMap(context.tls) }

    /// The TCP connections that carry some TLS connections.
    func connections(of tls: [TLSConnection]) -> [Connection] { tls.map { context.connection($0.connection) } }

    /// The transactions of a TLS connection that were answered behind a packet.
    func answers(on tls: TLSConnection, after packet: Int) -> [Transaction] {
        entries.lazy.map(\.transaction).filter {
            $0.connection == tls.connection && $0.http.tunnel == tls.tunnel && $0.responsePacket ?? 0 > packet
        }
    }

    /// Whether a later connection of the chain carries a request, or one of the same client to the same server at least a whole
    /// handshake, within some seconds.
    func isReplaced(_ connection: Connection, within seconds: Double) -> Bool {
        let isLater = { (other: Connection) in
            other.number > connection.number && other.firstTime.seconds(since: connection.firstTime) <= seconds
        }
        return entries.contains { isLater(self.connection(of: $0.transaction)) }
            || bareTLS.contains { isLater(context.connection($0.connection)) && $0.isTaken }
            || isTakenLater(than: connection, within: seconds)
    }

    /// Whether TLS of the same client with the same server, of which nothing else is to be said, ends its handshake well later.
    private func isTakenLater(than connection: Connection, within seconds: Double) -> Bool {
        let all = context.capture.tlsConnections
        let name = context.tls(on: connection.number)?.clientHello?.serverName
        let start = all.firstIndexInOrder { $0.connection > connection.number }
        return all[start...].prefix(Chain.connectionsBehind).contains { tls in
            let other = context.connection(tls.connection)
            return other.firstTime.seconds(since: connection.firstTime) <= seconds
                && other.client.address == connection.client.address
                && other.processNumber == connection.processNumber
                && (other.server == connection.server || name != nil && tls.clientHello?.serverName == name)
                && tls.isTaken
        }
    }

    /// How many TLS connections behind one are looked at.
    private static let connectionsBehind = 64

    /// Whether the server asks for the client's certificate.
    var isAskedForCertificate: Bool { tlsConnections.contains { $0.certificateRequest != nil } }

    /// Whether the client's certificate let it in: a request was served, or, unread, the handshake ended well.
    var isLetInByCertificate: Bool {
        tlsConnections.contains { tls in
            guard tls.clientCertificate == .sent, tls.finishedPacket != nil,
                !tls.alerts.contains(where: \.isRefusal)
            else { return false }
            let served = entries.filter { $0.transaction.connection == tls.connection }
            return served.isEmpty || served.contains { $0.transaction.isServed }
        }
    }

    /// The step `trust`: the server's certificate was shown, and the client went on.
    var trustState: StepResult {
        guard let tls = tlsConnections.first else { return StepResult(step: .trust, state: .notNeeded, packet: nil) }
        let trusted = tlsConnections.first { $0.finishedPacket != nil }
        return StepResult(
            step: .trust,
            state: trusted == nil ? .cannotTell : .ok,
            packet: trusted?.serverCertificatePacket ?? trusted?.serverHelloPacket ?? tls.serverCertificatePacket
        )
    }

    /// The step `clientCertificate`: the server asked, and the client answered.
    var clientCertificateState: StepResult {
        guard let asked = tlsConnections.first(where: { $0.certificateRequest != nil }) else {
            return StepResult(step: .clientCertificate, state: .notNeeded, packet: nil)
        }
        let answered = tlsConnections.first { $0.clientCertificate == .sent }
        return StepResult(
            step: .clientCertificate,
            state: answered == nil ? .cannotTell : .ok,
            packet: answered?.clientCertificatePacket ?? asked.certificateRequest?.packet
        )
    }
}

extension TLSConnection {
    /// Whether both sides went through with the handshake, and neither took it back.
    fileprivate var isTaken: Bool {
        finishedPacket != nil && clientCertificate != ClientCertificate.none && !alerts.contains(where: \.isRefusal)
    }
}

extension TLSAlert {
    /// Whether it ends the connection for a reason: neither a warning nor the ordinary end.
    var isRefusal: Bool { isFatal != false && description != .closeNotify && description != nil }
}
