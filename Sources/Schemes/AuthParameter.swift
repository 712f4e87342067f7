/// One `name=value` of a challenge, of credentials, or of an Authentication-Info field.
///
///     auth-param = token BWS "=" BWS ( token / quoted-string )
///
/// - Source: RFC 9110 §11.2.
public struct AuthParameter: Hashable, Sendable {
    /// The name as on the wire; names are compared without regard to letter case.
    ///
    /// What looks like a part of a broken token instead of a name is redacted.
    public let name: String

    /// The value, without quotes and with each quoted-pair replaced by its character.
    public let value: String

    /// Whether the value came as a quoted-string.
    public let isQuoted: Bool

    /// The quoted-string's inside as on the wire, where it holds a quoted-pair; `nil` where it equals `value`.
    public let escapedValue: String?

    /// Where the name starts, in bytes from the start of the field value.
    public let offset: Int

    /// Whether the value proves or grants something by itself, so that a report must redact it.
    public let isSecret: Bool

    /// The name as parameters are found by it.
    let key: FoldedName
}

extension AuthParameter: CustomStringConvertible, CustomReflectable {
    /// The parameter as in a field; a secret value is redacted.
    public var description: String {
        isSecret ? "\(name)=‹redacted, \(value.utf8.count) bytes›" : "\(name)=\(isQuoted ? "\"\(value)\"" : value)"
    }

    /// No children: reflection must not reach a secret value.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension [AuthParameter] {
    /// The value of the first parameter with this name, in any letter case; `nil` where there is none.
    public subscript(name: String) -> String? { first(named: ParameterName(name))?.value }

    /// The first parameter with this name; `nil` where there is none.
    func first(named name: ParameterName) -> AuthParameter? { index(named: name).map { self[$0] } }

    /// The index of the first parameter with this name; `nil` where there is none.
    func index(named name: ParameterName) -> Int? { firstIndex(where: name.isName) }
}
