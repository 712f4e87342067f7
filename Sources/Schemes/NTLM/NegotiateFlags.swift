/// What the sides of an NTLM handshake offer and settle on: 32 bits, least significant byte first on the wire.
///
/// - Source: MS-NLMP 2.2.2.5.
public struct NegotiateFlags: OptionSet, Hashable, Sendable {
    /// The bits on the wire.
    public let rawValue: UInt32

    /// A set of bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The names of the bits that are set, spelled as in the specification, highest bit first.
    public var names: [String] {
        Self.namesFromHighestBit.enumerated().compactMap { index, name in
            rawValue & (1 << UInt32(31 - index)) != 0 ? name : nil
        }
    }
}

extension NegotiateFlags {
    /// 56-bit encryption (W).
    public static let negotiate56 = Self(rawValue: 0x8000_0000)
    /// An explicit key exchange (V).
    public static let negotiateKeyExchange = Self(rawValue: 0x4000_0000)
    /// 128-bit session keys (U).
    public static let negotiate128 = Self(rawValue: 0x2000_0000)
    /// Unused (r1).
    public static let r1 = Self(rawValue: 0x1000_0000)
    /// Unused (r2).
    public static let r2 = Self(rawValue: 0x0800_0000)
    /// Unused (r3).
    public static let r3 = Self(rawValue: 0x0400_0000)
    /// The message carries a Version (T).
    public static let negotiateVersion = Self(rawValue: 0x0200_0000)
    /// Unused (r4).
    public static let r4 = Self(rawValue: 0x0100_0000)
    /// The CHALLENGE_MESSAGE carries TargetInfo (S).
    public static let negotiateTargetInfo = Self(rawValue: 0x0080_0000)
    /// The LM session key is asked for (R).
    public static let requestNonNTSessionKey = Self(rawValue: 0x0040_0000)
    /// Unused (r5).
    public static let r5 = Self(rawValue: 0x0020_0000)
    /// An identify-level token is asked for (Q).
    public static let negotiateIdentify = Self(rawValue: 0x0010_0000)
    /// NTLMv2 session security (P).
    public static let negotiateExtendedSessionSecurity = Self(rawValue: 0x0008_0000)
    /// Unused (r6); once NTLMSSP_TARGET_TYPE_SHARE.
    public static let r6 = Self(rawValue: 0x0004_0000)
    /// TargetName is a server (O).
    public static let targetTypeServer = Self(rawValue: 0x0002_0000)
    /// TargetName is a domain (N).
    public static let targetTypeDomain = Self(rawValue: 0x0001_0000)
    /// A signature block on all messages (M).
    public static let negotiateAlwaysSign = Self(rawValue: 0x0000_8000)
    /// Unused (r7); once NTLMSSP_NEGOTIATE_LOCAL_CALL, and still seen as such.
    public static let r7 = Self(rawValue: 0x0000_4000)
    /// The NEGOTIATE_MESSAGE carries a workstation (L).
    public static let negotiateOEMWorkstationSupplied = Self(rawValue: 0x0000_2000)
    /// The NEGOTIATE_MESSAGE carries a domain (K).
    public static let negotiateOEMDomainSupplied = Self(rawValue: 0x0000_1000)
    /// The connection shall be anonymous (J).
    public static let anonymous = Self(rawValue: 0x0000_0800)
    /// Unused (r8); once NTLMSSP_NEGOTIATE_NT_ONLY.
    public static let r8 = Self(rawValue: 0x0000_0400)
    /// The NTLM v1 session security protocol (H).
    public static let negotiateNTLM = Self(rawValue: 0x0000_0200)
    /// Unused (r9).
    public static let r9 = Self(rawValue: 0x0000_0100)
    /// LAN Manager session keys (G).
    public static let negotiateLMKey = Self(rawValue: 0x0000_0080)
    /// Connectionless authentication (F).
    public static let negotiateDatagram = Self(rawValue: 0x0000_0040)
    /// Confidentiality of messages (E).
    public static let negotiateSeal = Self(rawValue: 0x0000_0020)
    /// Signatures on messages (D).
    public static let negotiateSign = Self(rawValue: 0x0000_0010)
    /// Unused (r10); once NTLMSSP_NEGOTIATE_NETWARE.
    public static let r10 = Self(rawValue: 0x0000_0008)
    /// TargetName must be supplied (C).
    public static let requestTarget = Self(rawValue: 0x0000_0004)
    /// Names in the OEM code page (B).
    public static let negotiateOEM = Self(rawValue: 0x0000_0002)
    /// Names in UTF-16 (A).
    public static let negotiateUnicode = Self(rawValue: 0x0000_0001)

    /// The names of all bits, from 0x8000_0000 down to 0x0000_0001; the unused ones by their letter in the specification.
    public static let namesFromHighestBit = [
        "NTLMSSP_NEGOTIATE_56",
        "NTLMSSP_NEGOTIATE_KEY_EXCH",
        "NTLMSSP_NEGOTIATE_128",
        "NTLMSSP_RESERVED_R1",
        "NTLMSSP_RESERVED_R2",
        "NTLMSSP_RESERVED_R3",
        "NTLMSSP_NEGOTIATE_VERSION",
        "NTLMSSP_RESERVED_R4",
        "NTLMSSP_NEGOTIATE_TARGET_INFO",
        "NTLMSSP_REQUEST_NON_NT_SESSION_KEY",
        "NTLMSSP_RESERVED_R5",
        "NTLMSSP_NEGOTIATE_IDENTIFY",
        "NTLMSSP_NEGOTIATE_EXTENDED_SESSIONSECURITY",
        "NTLMSSP_RESERVED_R6",
        "NTLMSSP_TARGET_TYPE_SERVER",
        "NTLMSSP_TARGET_TYPE_DOMAIN",
        "NTLMSSP_NEGOTIATE_ALWAYS_SIGN",
        "NTLMSSP_RESERVED_R7",
        "NTLMSSP_NEGOTIATE_OEM_WORKSTATION_SUPPLIED",
        "NTLMSSP_NEGOTIATE_OEM_DOMAIN_SUPPLIED",
        "NTLMSSP_NEGOTIATE_ANONYMOUS",
        "NTLMSSP_RESERVED_R8",
        "NTLMSSP_NEGOTIATE_NTLM",
        "NTLMSSP_RESERVED_R9",
        "NTLMSSP_NEGOTIATE_LM_KEY",
        "NTLMSSP_NEGOTIATE_DATAGRAM",
        "NTLMSSP_NEGOTIATE_SEAL",
        "NTLMSSP_NEGOTIATE_SIGN",
        "NTLMSSP_RESERVED_R10",
        "NTLMSSP_REQUEST_TARGET",
        "NTLM_NEGOTIATE_OEM",
        "NTLMSSP_NEGOTIATE_UNICODE",
    ]
}
