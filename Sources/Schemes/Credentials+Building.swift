import AuthScanBytes

extension Credentials {
    /// Gives an element of a field value the meaning its scheme defines.
    init(_ element: FieldElement, in fieldValue: ArraySlice<UInt8>) {
        var element = element
        let unparsed = element.unparsed.map { Secret(fieldText(fieldValue[$0]), byteCount: $0.count) }
        if element.token68 == nil, element.parameters.isEmpty, unparsed == nil, !element.scheme.rawValue.isEmpty {
            element.note(.missingContent, "\(element.scheme) stands alone", at: element.offset)
        }
        token68 = Token68(element)
        content =
            switch element.scheme.kind {
            case .basic: .basic(BasicCredentials(decoding: &element))
            case .digest: .digest(DigestCredentials(&element))
            case .ntlm, .negotiate, .kerberos: CredentialsContent(CarriedToken(&element), kind: element.scheme.kind)
            case .bearer: .bearer(BearerCredentials(token: token68?.text ?? unparsed))
            case .other: .other
            }
        scheme = element.scheme
        parameters = element.parameters
        self.unparsed = unparsed
        problems = element.problems
    }
}

extension CredentialsContent {
    fileprivate init(_ token: CarriedToken, kind: AuthenticationScheme.Kind) {
        self =
            switch token {
            case .none: kind == .ntlm ? .ntlm(nil) : .negotiate(nil)
            case .ntlm(let message): .ntlm(message)
            case .negotiate(let token): .negotiate(token)
            }
    }
}
