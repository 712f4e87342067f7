public import AuthScanBytes

/// The first leg: which mechanisms the initiator can do, and the preferred one's first token.
///
///     NegTokenInit  ::= SEQUENCE { mechTypes [0], reqFlags [1] OPTIONAL, mechToken [2] OPTIONAL, mechListMIC [3] OPTIONAL }
///     NegTokenInit2 ::= SEQUENCE { mechTypes [0], reqFlags [1], mechToken [2], negHints [3], mechListMIC [4], all OPTIONAL }
///
/// - Source: RFC 4178 §4.2.1; MS-SPNG 2.2.1.
public struct NegTokenInit: Hashable, Sendable {
    /// The context's options that the initiator asks for.
    public struct ContextFlags: OptionSet, Hashable, Sendable {
        /// Bit n of the BIT STRING is 1 << n.
        public let rawValue: UInt8
        /// A set of bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The names of the bits that are set, in the order of RFC 4178 §4.2.1.
        public var names: [String] {
            ["delegFlag", "mutualFlag", "replayFlag", "sequenceFlag", "anonFlag", "confFlag", "integFlag"]
                .enumerated().compactMap { rawValue & (1 << UInt8($0.offset)) != 0 ? $0.element : nil }
        }
    }

    /// The hints of a server that speaks first.
    public struct NegHints: Hashable, Sendable {
        /// The name: `not_defined_in_RFC4178@please_ignore`.
        public let hintName: String?
        /// The address: not used.
        public let hintAddress: [UInt8]?
    }

    /// The mechanism of the GSS-API framing, which is SPNEGO; `nil` where the token has no framing.
    public let thisMech: MechanismType?
    /// The mechanisms in order of preference.
    public let mechTypes: [MechanismType]
    /// The options asked for; `nil` where the field is missing.
    public let reqFlags: ContextFlags?
    /// The preferred mechanism's first token; `nil` where the field is missing.
    public let mechToken: MechanismToken?
    /// A server's hints; `nil` where the field is missing.
    public let negHints: NegHints?
    /// The integrity code over the list of mechanisms; `nil` where the field is missing.
    public let mechListMIC: [UInt8]?
    /// What is malformed, with offsets from the start of the token.
    public let problems: [DecodeError]

    /// Whether the token has the fields of Microsoft's NegTokenInit2, as a server sends it.
    public var isNegTokenInit2: Bool { negHints != nil }

    /// Whether the token inside belongs to another mechanism than the preferred one.
    public var isTokenOfOtherMechanism: Bool {
        guard let preferred = mechTypes.first, let mechToken else { return false }
        return switch mechToken.content {
        case .ntlm: preferred != .ntlm
        case .kerberos: !preferred.isKerberos
        case .unknown: false
        }
    }
}
