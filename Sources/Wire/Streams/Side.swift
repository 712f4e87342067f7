/// The two ends of a connection: the one that opened it, and the other.
public enum Side: String, Sendable {
    /// The end that sent the first SYN, or that behaves as a client where no SYN was captured.
    case client
    /// The end that was connected to.
    case server

    /// The other end.
    public var other: Side { self == .client ? .server : .client }
}
