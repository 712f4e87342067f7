import AuthScanBytes
import AuthScanSessions
import AuthScanWire

extension Chain {
    /// What HTTP/2 says beside the messages on the connection of a transaction, as of a proxy's and the server's inside it.
    private func http2(of transaction: Transaction) -> ArraySlice<HTTP2Connection> {
        let all = context.capture.http2Connections
        let start = all.firstIndexInOrder { $0.connection >= transaction.connection }
        return all[start...].prefix { $0.connection == transaction.connection }
    }

    /// How the server ended a transaction's stream before its time; `nil` where it did not.
    func serverReset(of transaction: Transaction) -> HTTP2Connection.Reset? {
        guard let stream = transaction.http.stream else { return nil }
        return http2(of: transaction).lazy.flatMap(\.resets).first { $0.stream == stream && $0.from == .server }
    }

    /// The packet with which the server said that a request without an answer needs HTTP/1.1; `nil` where it did not.
    ///
    /// - Source: RFC 9113 §7, HTTP_1_1_REQUIRED.
    func http11RequiredPacket(for transaction: Transaction) -> Int? {
        guard transaction.isHTTP2, transaction.status == nil else { return nil }
        if let reset = serverReset(of: transaction) { return reset.code == .http11Required ? reset.packet : nil }
        return http2(of: transaction).lazy.flatMap(\.goAways).first {
            $0.from == .server && $0.code == .http11Required && $0.packet > transaction.packet
        }?.packet
    }
}
