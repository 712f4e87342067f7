/// A value of a JSON text.
///
/// - Source: RFC 8259 §3.
public indirect enum JSONValue: Hashable, Sendable {
    /// An object.
    case object([String: JSONValue])
    /// An array.
    case array([JSONValue])
    /// A string.
    case string(String)
    /// A number; exact for integers up to 2⁵³.
    case number(Double)
    /// `true` or `false`.
    case bool(Bool)
    /// `null`.
    case null

    /// The text of a string; `nil` for other values.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The value of a number; `nil` for other values.
    public var number: Double? { if case .number(let number) = self { number } else { nil } }
}
