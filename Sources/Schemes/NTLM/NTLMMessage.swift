public import AuthScanBytes

/// One of the three messages of an NTLM handshake.
///
/// - Source: MS-NLMP 2.2.1.
public enum NTLMMessage: Hashable, Sendable {
    /// Type 1, from the client.
    case negotiate(NegotiateMessage)
    /// Type 2, from the server.
    case challenge(ChallengeMessage)
    /// Type 3, from the client.
    case authenticate(AuthenticateMessage)

    /// The specification's name of the message: `AUTHENTICATE_MESSAGE`.
    public var messageName: String {
        switch self {
        case .negotiate: "NEGOTIATE_MESSAGE"
        case .challenge: "CHALLENGE_MESSAGE"
        case .authenticate: "AUTHENTICATE_MESSAGE"
        }
    }

    /// The flags; `nil` in a short type 3, which has none.
    public var flags: NegotiateFlags? {
        switch self {
        case .negotiate(let message): message.flags
        case .challenge(let message): message.flags
        case .authenticate(let message): message.flags
        }
    }

    /// The Version block; `nil` where the message has none.
    public var version: NTLMVersion? {
        switch self {
        case .negotiate(let message): message.version
        case .challenge(let message): message.version
        case .authenticate(let message): message.version
        }
    }

    /// What inside the message is malformed.
    public var problems: [DecodeError] {
        switch self {
        case .negotiate(let message): message.problems
        case .challenge(let message): message.problems
        case .authenticate(let message): message.problems
        }
    }

    /// Deviations from the specification that receivers are known to accept.
    public var remarks: [DecodeError] {
        switch self {
        case .negotiate(let message): message.remarks
        case .challenge(let message): message.remarks
        case .authenticate(let message): message.remarks
        }
    }

    /// Type 1; `nil` for another message.
    public var negotiate: NegotiateMessage? { if case .negotiate(let message) = self { message } else { nil } }

    /// Type 2; `nil` for another message.
    public var challenge: ChallengeMessage? { if case .challenge(let message) = self { message } else { nil } }

    /// Type 3; `nil` for another message.
    public var authenticate: AuthenticateMessage? { if case .authenticate(let message) = self { message } else { nil } }

    /// Decodes a message that starts with its signature.
    ///
    /// - Throws: when signature, type or fixed part are missing; lesser faults are kept as the message's problems.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        var reader = NTLMMessageReader(bytes)
        let type = try reader.readMessageType()
        switch type {
        case 1: self = .negotiate(try NegotiateMessage(reading: &reader))
        case 2: self = .challenge(try ChallengeMessage(reading: &reader))
        case 3: self = .authenticate(try AuthenticateMessage(reading: &reader))
        default: throw DecodeError(.invalidValue("\(type) is no NTLM message type"), "MessageType", offset: 8)
        }
    }
}
