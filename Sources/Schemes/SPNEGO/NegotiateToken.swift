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
}

extension NegotiateToken {
    /// Decodes what a token under `Negotiate` holds: SPNEGO, or NTLM or Kerberos without it.
    ///
    /// Throws where the bytes are none of these; what is wrong further inside is a problem of the token.
    ///
    /// - Source: RFC 4559 §4.1; RFC 4178 §4.2; RFC 2743 §3.1.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        switch bytes.first {
        case 0x4E: self = .ntlm(try NTLMMessage(decoding: bytes))
        case 0x60: self = try NegotiateToken.decodeInitialToken(bytes)
        case 0xA0, 0xA1: self = .spnego(try SPNEGOToken(decoding: bytes, thisMech: nil, base: 0))
        case 0x6E, 0x6F, 0x7E: self = .kerberos(try KerberosMessage(decoding: bytes))
        default: throw DecodeError(.invalidValue("neither SPNEGO, Kerberos nor NTLM"), "NegotiationToken", offset: 0)
        }
    }

    /// `[APPLICATION 0] IMPLICIT SEQUENCE { thisMech OBJECT IDENTIFIER, innerContextToken ANY }`.
    private static func decodeInitialToken(_ bytes: ArraySlice<UInt8>) throws(DecodeError) -> NegotiateToken {
        var reader = DERReader(bytes)
        let token = try reader.read(0x60, as: "InitialContextToken")
        var inner = try reader.reader(of: token)
        let mechanism = MechanismType(rawValue: try inner.read(as: "thisMech").objectIdentifier(as: "thisMech"))
        let rest = token.content.dropFirst(inner.offset - token.contentOffset)
        if mechanism == .spnego {
            return .spnego(try SPNEGOToken(decoding: rest, thisMech: mechanism, base: inner.offset))
        }
        if mechanism.isKerberos {
            return .kerberos(try KerberosMessage(decoding: bytes))
        }
        if mechanism == .ntlm, rest.first == 0x4E { return .ntlm(try NTLMMessage(decoding: rest)) }
        return .unknown(UnknownToken(mechanism: mechanism, label: mechanism.name, encoded: Secret(Array(rest))))
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
