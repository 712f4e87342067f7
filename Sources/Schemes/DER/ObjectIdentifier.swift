/// An object identifier in dotted form.
///
/// - Source: ITU-T X.690 §8.19.
public struct ObjectIdentifier: RawRepresentable, Hashable, Sendable {
    /// The dotted form: `1.3.6.1.5.5.2`.
    public let rawValue: String

    /// Names an object by its dotted form.
    public init(rawValue: String) { self.rawValue = rawValue }
}
