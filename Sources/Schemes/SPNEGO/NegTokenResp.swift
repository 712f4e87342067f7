public import AuthScanBytes

/// A later leg: the negotiation's state, the mechanism chosen, and its next token.
///
///     NegTokenResp ::= SEQUENCE { negState [0], supportedMech [1], responseToken [2], mechListMIC [3], all OPTIONAL }
///
/// - Source: RFC 4178 §4.2.2.
public struct NegTokenResp: Hashable, Sendable {
    /// How far the negotiation is.
    public struct State: RawRepresentable, Hashable, Sendable {
        /// The number on the wire.
        public let rawValue: Int
        /// Names a state.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// The context is established.
        public static let acceptCompleted = Self(rawValue: 0)
        /// Another token is expected.
        public static let acceptIncomplete = Self(rawValue: 1)
        /// The context is refused.
        public static let reject = Self(rawValue: 2)
        /// The acceptor wants the list of mechanisms protected.
        public static let requestMIC = Self(rawValue: 3)

        /// The specification's name, such as `accept-completed`; `unknown (7)` for others.
        public var name: String {
            switch self {
            case .acceptCompleted: "accept-completed"
            case .acceptIncomplete: "accept-incomplete"
            case .reject: "reject"
            case .requestMIC: "request-mic"
            default: "unknown (\(rawValue))"
            }
        }
    }

    /// The mechanism of a GSS-API framing, which belongs around a first leg alone; `nil` where the token has none.
    public let thisMech: MechanismType?
    /// How far the negotiation is; `nil` where the field is missing.
    public let negState: State?
    /// The mechanism the acceptor chose; `nil` where the field is missing.
    public let supportedMech: MechanismType?
    /// The mechanism's next token; `nil` where the field is missing.
    public let responseToken: MechanismToken?
    /// The integrity code over the list of mechanisms; `nil` where the field is missing.
    public let mechListMIC: [UInt8]?
    /// What is malformed, with offsets from the start of the token.
    public let problems: [DecodeError]
}
