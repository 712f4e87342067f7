import AuthScanBytes

extension Challenge {
    /// Gives an element of a field value the meaning its scheme defines.
    init(_ element: FieldElement, target: Target, in fieldValue: ArraySlice<UInt8>) {
        var element = element
        content =
            switch element.scheme.kind {
            case .basic: .basic(BasicChallenge(&element))
            case .digest: .digest(DigestChallenge(&element))
            case .ntlm, .negotiate, .kerberos: ChallengeContent(CarriedToken(&element), kind: element.scheme.kind)
            case .bearer: .bearer(BearerChallenge(element))
            case .other: .other
            }
        scheme = element.scheme
        self.target = target
        offset = element.offset
        parameters = element.parameters
        token68 = Token68(element)
        problems = element.problems
    }
}

extension ChallengeContent {
    fileprivate init(_ token: CarriedToken, kind: AuthenticationScheme.Kind) {
        self =
            switch token {
            case .none: kind == .ntlm ? .ntlm(nil) : .negotiate(nil)
            case .ntlm(let message): .ntlm(message)
            case .negotiate(let token): .negotiate(token)
            }
    }
}

extension Token68 {
    init?(_ element: FieldElement) {
        guard let octets = element.token68 else { return nil }
        text = Secret(String(decoding: octets, as: UTF8.self), byteCount: octets.count)
        offset = element.token68Offset
    }
}
