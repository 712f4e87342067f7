extension Challenge {
    /// Holds an element against its scheme, gathers what is malformed, and decodes the token of the schemes that carry one.
    static func check(_ element: inout FieldElement) -> CarriedToken {
        switch element.scheme.kind {
        case .basic: BasicChallenge(parameters: element.parameters).check(&element)
        case .digest: DigestChallenge(parameters: element.parameters).check(&element)
        case .ntlm, .negotiate, .kerberos: return CarriedToken(&element)
        case .bearer, .other: break
        }
        return .none
    }
}
