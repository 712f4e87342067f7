import AuthScanBytes
public import AuthScanWire

extension [TLSConnection] {
    /// The innermost of these that carried a transaction; `nil` where it travelled in clear.
    ///
    /// They are in the order of the TCP connections that carry them, as `WireCapture` has them.
    public func carrying(_ transaction: Transaction) -> TLSConnection? {
        guard transaction.isSecure else { return nil }
        let start = firstIndexInOrder { $0.connection >= transaction.connection }
        return self[start...].prefix { $0.connection == transaction.connection }
            .last { $0.tunnel == transaction.http.tunnel }
    }
}
