import AuthScanBytes

extension CredentialsContent {
    /// What the element's scheme makes of it; the element gathers what is malformed.
    init(_ element: inout FieldElement, unparsed: Secret<String>?) {
        self =
            switch element.scheme.kind {
            case .basic: .basic(BasicCredentials(decoding: &element))
            case .digest: .digest(DigestCredentials(&element))
            case .ntlm, .negotiate, .kerberos: CredentialsContent(CarriedToken(&element), kind: element.scheme.kind)
            case .bearer: .bearer(BearerCredentials(token68: Token68(element), unparsed: unparsed))
            case .other: .other
            }
    }

    private init(_ token: CarriedToken, kind: AuthenticationScheme.Kind) {
        self =
            switch token {
            case .none: kind == .ntlm ? .ntlm(nil) : .negotiate(nil)
            case .ntlm(let message): .ntlm(message)
            case .negotiate(let token): .negotiate(token)
            }
    }
}
