/// Something malformed in a field value that carries challenges, credentials or auth-params.
public struct FieldProblem: Hashable, Sendable {
    /// What kind of fault it is; the raw values appear in reports.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The field value is empty, or holds commas and white space alone.
        case emptyField
        /// The value starts with something that is no auth-scheme.
        case invalidScheme
        /// Credentials consist of a token alone, with no auth-scheme before it.
        case missingScheme
        /// The scheme stands alone, where its credentials must carry something.
        case missingContent
        /// Text that is neither token68 nor auth-param.
        case unexpectedText
        /// A value that must be quoted stands without quotes, and ends where it should.
        case unquotedValue
        /// An unquoted value holds white space, a comma, a quote or a control.
        case malformedValue
        /// A quoted-string without its closing quote.
        case unterminatedQuotedString
        /// An octet that may not stand in a field value, NUL among them.
        case controlCharacter
        /// One auth-param twice in one challenge.
        case duplicateParameter
        /// An auth-param without its value, or without its name.
        case incompleteParameter
        /// An auth-param the scheme requires is missing.
        case missingParameter
        /// An auth-param holds a value that its scheme does not allow.
        case invalidValue
        /// An auth-param is quoted where its scheme forbids it.
        case quotedValue
        /// Two credentials in one field value.
        case severalCredentials
        /// The token is no base64.
        case invalidBase64
        /// The user-pass has no colon between user-id and password.
        case missingColon
        /// The decoded token does not follow its format.
        case invalidToken
        /// The token belongs to another scheme than the one it came under.
        case otherSchemesToken
        /// More parts than the parser keeps.
        case limitExceeded
    }

    /// What kind of fault it is.
    public let kind: Kind

    /// What is malformed, in one phrase without secrets.
    public let message: String

    /// Where the fault lies, in bytes from the start of the field value.
    public let offset: Int

    /// Whether receivers in practice accept this without trouble, so that it explains no failure by itself.
    public var isHarmless: Bool { kind == .unquotedValue || kind == .quotedValue }
}
