/// A GeneralizedTime without fractions of a second, in UTC: `20261130190557Z`.
///
/// - Source: RFC 4120 §5.2.3.
public struct KerberosTime: Hashable, Sendable {
    /// The text as on the wire.
    public let text: String
    /// Seconds since 1970-01-01 UTC.
    public let secondsSinceEpoch: Int64
}
