public import AuthScanBytes

/// What stands in a `Negotiate` or `Kerberos` challenge or credentials.
///
/// - Source: RFC 4559 §4.
public indirect enum NegotiateToken: Hashable, Sendable {
    /// SPNEGO, as the scheme demands.
    case spnego(SPNEGOToken)
    /// NTLM without SPNEGO around it: legal in practice.
    case ntlm(NTLMMessage)
    /// Kerberos without SPNEGO around it.
    case kerberos(KerberosMessage)
    /// A token of another kind.
    case unknown(UnknownToken)

    /// The NTLM message, raw or inside SPNEGO.
    public var ntlm: NTLMMessage? {
        switch self {
        case .ntlm(let message): message
        case .spnego(let token): token.inner?.ntlm
        case .kerberos, .unknown: nil
        }
    }

    /// The Kerberos message, raw or inside SPNEGO.
    public var kerberos: KerberosMessage? {
        switch self {
        case .kerberos(let message): message
        case .spnego(let token): token.inner?.kerberos
        case .ntlm, .unknown: nil
        }
    }

    /// The SPNEGO token; `nil` for a raw one.
    public var spnego: SPNEGOToken? { if case .spnego(let token) = self { token } else { nil } }

    /// Whether the mechanism's token stands inside SPNEGO.
    public var isWrapped: Bool { spnego != nil }

    /// Whether bytes start as a GSS-API or SPNEGO token does.
    static func startsAsGSSAPI(_ bytes: ArraySlice<UInt8>) -> Bool {
        [0x60, 0xA0, 0xA1].contains(bytes.first)
    }

    /// Decodes a token by its first bytes.
    ///
    /// - Throws: when the token starts as a known kind and cannot be decoded as such.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        switch bytes.first {
        case DERTag.context(0).rawValue, DERTag.context(1).rawValue:
            self = .spnego(try SPNEGOToken(decoding: bytes))
        case GSSToken.tag.rawValue:
            var problems: [DecodeError] = []
            let token = try GSSToken(decoding: bytes, noting: &problems)
            guard token.thisMech == .spnego else {
                self = try Self(decodingMechanismToken: bytes)
                return
            }
            self = .spnego(
                try SPNEGOToken(
                    decoding: token.innerContextToken,
                    at: token.innerOffset,
                    thisMech: token.thisMech,
                    noting: problems
                )
            )
        default:
            self = try Self(decodingMechanismToken: bytes)
        }
    }
}

/// A token that is neither SPNEGO nor NTLM nor a Kerberos message.
public struct UnknownToken: Hashable, Sendable {
    /// The mechanism, where the token has a GSS-API framing that names one.
    public let mechanism: MechanismType?
    /// What it appears to be, in a few words; `nil` where nothing is known.
    public let label: String?
    /// Its bytes.
    public let encoded: Secret<[UInt8]>
}
