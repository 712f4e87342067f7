import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

extension Chain {
    /// How soon a client that lost its connection tries again, in seconds.
    private static let retryWindow = 60.0

    /// Whether a later try of the chain was judged, soon after a transaction: what broke before was not for good, or
    /// something else is the matter.
    func isDecidedLater(than transaction: Transaction) -> Bool {
        exchanges.contains { exchange in
            exchange.legs[0].transaction.packet > transaction.packet
                && exchange.legs[0].transaction.startTime.seconds(since: transaction.startTime) <= Chain.retryWindow
                && (exchange.outcome == .accepted || exchange.outcome == .rejected)
        }
    }

    /// The innermost TLS that carried a transaction; `nil` where there was none.
    func tlsConnection(of transaction: Transaction) -> TLSConnection? {
        context.capture.tlsConnections.carrying(transaction)
    }
}

extension Incompleteness {
    /// What an absence on some connections may come of; `nil` where the capture lacks no byte of them.
    init?(lackingBytesOf connections: [Connection]) {
        let lacking = connections.filter(\.lacksBytes)
        if lacking.isEmpty { return nil }
        self.init("the capture lacks bytes of the connection", connections: lacking.map(\.number))
    }
}

extension Connection {
    /// Whether a message may have been sent that the capture does not show.
    var lacksBytes: Bool { isOneSided || truncatedPackets > 0 || !gaps.isEmpty }

    /// Whether an answer may have been given that the capture does not show.
    var mayHideAnswer: Bool { isOneSided || truncatedPackets > 0 || gaps.contains { $0.from == .server } }
}

extension Leg {
    /// What the request brought, in words: the message's name, or the scheme.
    var name: String {
        switch ntlm {
        case .negotiate?: "the NEGOTIATE_MESSAGE"
        case .authenticate?: "the AUTHENTICATE_MESSAGE"
        case .challenge?, nil: "the \(credentials.scheme) credential"
        }
    }
}
