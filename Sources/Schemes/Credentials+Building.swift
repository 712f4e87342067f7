extension Credentials.Decoded {
    /// What the element's scheme makes of it; the element gathers what is malformed.
    init(_ element: inout FieldElement) {
        switch element.scheme.kind {
        case .basic: self = BasicCredentials(decoding: &element).map { .basic($0) } ?? .nothing
        case .ntlm, .negotiate, .kerberos:
            switch CarriedToken(&element) {
            case .none: self = .nothing
            case .ntlm(let message): self = .ntlm(message)
            case .negotiate(let token): self = .negotiate(token)
            }
        case .digest:
            DigestCredentials(parameters: element.parameters).check(&element)
            self = .nothing
        case .bearer, .other: self = .nothing
        }
    }
}
