/// Who ended a connection, and how; the raw value is the `closedBy` of the JSON report.
public enum Closure: String, Sendable {
    /// The client sent the first FIN.
    case client
    /// The server sent the first FIN.
    case server
    /// The client sent a RST.
    case clientReset
    /// The server sent a RST.
    case serverReset

    /// The side that ended it.
    public var side: Side { self == .client || self == .clientReset ? .client : .server }
}
