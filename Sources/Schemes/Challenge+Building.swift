extension ChallengeContent {
    /// What the element's scheme makes of it; the element gathers what is malformed.
    init(_ element: inout FieldElement) {
        self =
            switch element.scheme.kind {
            case .basic: .basic(BasicChallenge(&element))
            case .digest: .digest(DigestChallenge(&element))
            case .ntlm, .negotiate, .kerberos: ChallengeContent(CarriedToken(&element), kind: element.scheme.kind)
            case .bearer: .bearer(BearerChallenge(element))
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
