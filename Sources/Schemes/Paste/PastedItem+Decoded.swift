/// What a pasted item decodes to.
public enum PastedContent: Sendable {
    /// Challenges, in wire order.
    case challenges([Challenge])
    /// Credentials, or a bare token as those of its scheme.
    case credentials(Credentials)
    /// A field beside both that says something about authentication.
    case sideField(name: String, value: [UInt8])
    /// A field that says nothing about authentication, where it is all that was pasted.
    case otherField(name: String, value: [UInt8])
}

extension PastedItem {
    /// What the item decodes to; `nil` for the first line of a message.
    ///
    /// Nothing is kept: each call decodes anew.
    public var decoded: PastedContent? {
        switch content {
        case .field(let name, let value):
            switch name.lowercased() {
            case "www-authenticate": .challenges(ChallengeParser.parseChallenges(value[...]))
            case "proxy-authenticate": .challenges(ChallengeParser.parseChallenges(value[...], target: .proxy))
            case "authorization", "proxy-authorization": .credentials(ChallengeParser.parseCredentials(value[...]))
            case let known where PasteReader.names.contains(known): .sideField(name: name, value: value)
            default: .otherField(name: name, value: value)
            }
        case .value(let value): PastedContent(value)
        case .token(let token): .credentials(token.credentials)
        case .request, .response: nil
        }
    }
}

extension PastedContent {
    /// A value without a name: a challenge where it has a realm, or is of a scheme whose credentials have no parameters,
    /// and nothing that only credentials have.
    fileprivate init(_ value: [UInt8]) {
        let credentials = ChallengeParser.parseCredentials(value[...])
        let names = Set(credentials.parameters.map { $0.name.lowercased() })
        let hasParametersInChallengesOnly = [.basic, .bearer].contains(credentials.scheme.kind) && !names.isEmpty
        if hasParametersInChallengesOnly || (names.contains("realm") && names.isDisjoint(with: Self.ofCredentials)) {
            self = .challenges(ChallengeParser.parseChallenges(value[...]))
        } else {
            self = .credentials(credentials)
        }
    }

    private static let ofCredentials: Set<String> = [
        "response", "username", "username*", "mac", "signature", "credential", "result", "token", "oauth_consumer_key",
        "kc1", "vkc", "data",
    ]

    /// The NTLM messages inside, in wire order.
    public var ntlmMessages: [NTLMMessage] {
        switch self {
        case .challenges(let challenges): challenges.compactMap(\.ntlm)
        case .credentials(let credentials): [credentials.ntlm].compactMap { $0 }
        case .sideField, .otherField: []
        }
    }
}
