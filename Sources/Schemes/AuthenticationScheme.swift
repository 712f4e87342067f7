import AuthScanBytes

/// The name of an authentication scheme, as on the wire; names that differ in letter case alone are equal.
///
/// - Source: RFC 9110 §11.1; the IANA registry of HTTP authentication schemes.
public struct AuthenticationScheme: RawRepresentable, Hashable, Sendable {
    /// The family of schemes that decides how a challenge or credentials are decoded.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A user-id and a password in base64: RFC 7617.
        case basic
        /// A hash over the password and a nonce: RFC 7616.
        case digest
        /// NTLM without a wrapping: MS-NTHT.
        case ntlm
        /// SPNEGO, or what stands in for it: RFC 4559.
        case negotiate
        /// A Kerberos token under the scheme's own name.
        case kerberos
        /// An access token: RFC 6750.
        case bearer
        /// Any other scheme; its name and parameters are kept.
        case other

        /// A bit of its own, for sets of kinds.
        public var bit: UInt8 {
            switch self {
            case .basic: 1
            case .digest: 2
            case .ntlm: 4
            case .negotiate: 8
            case .kerberos: 16
            case .bearer: 32
            case .other: 64
            }
        }
    }

    /// The name as on the wire; empty where credentials came without a scheme.
    public let rawValue: String

    /// How the scheme's challenges and credentials are decoded.
    public let kind: Kind

    /// Names a scheme, in any letter case.
    public init(rawValue: String) {
        self.rawValue = rawValue
        kind = Spelling(Array(rawValue.utf8).span).kind
    }

    /// Whether what is authenticated is the connection, not the request, so that every leg needs the same connection.
    ///
    /// - Source: RFC 4559 §6; MS-NTHT 2.1.
    public var requiresSameConnection: Bool { kind == .ntlm || kind == .negotiate }

    /// Whether the scheme is in the IANA registry.
    public var isRegistered: Bool { Self.registered.contains(self) }

    /// Whether the scheme is registered, or is an unregistered one in wide use.
    public var isKnown: Bool { isRegistered || Self.unregisteredInUse.contains(self) }

    /// Whether both names are the same but for letter case.
    public static func == (left: Self, right: Self) -> Bool {
        if left.kind != right.kind { return false }
        // Of these kinds each has one name.
        if left.kind != .other { return true }
        return left.rawValue.utf8.elementsEqual(right.rawValue.utf8, by: isSame)
    }

    /// Feeds the name in lower case.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        guard kind == .other else { return }
        for byte in rawValue.utf8 { hasher.combine(byte.asciiLowercased) }
    }

    /// Names a scheme as it stands in a field; one that is written as usual costs no string.
    init(_ octets: ArraySlice<UInt8>) { self.init(octets, at: 0..<octets.count) }

    /// The same of one at places of a field value.
    init(_ octets: ArraySlice<UInt8>, at places: Range<Int>) {
        let spelling = Spelling(octets.span.extracting(places))
        kind = spelling.kind
        rawValue =
            spelling.isUsual
            ? Self.usualName(of: kind)
            : fieldText(octets[(octets.startIndex + places.lowerBound)..<(octets.startIndex + places.upperBound)])
    }

    private static func usualName(of kind: Kind) -> String {
        switch kind {
        case .basic: "Basic"
        case .digest: "Digest"
        case .ntlm: "NTLM"
        case .negotiate: "Negotiate"
        case .kerberos: "Kerberos"
        case .bearer: "Bearer"
        case .other: ""
        }
    }

    /// What the letters of a name tell.
    private struct Spelling {
        let kind: Kind
        /// Whether a name that has a kind is written with the usual capital letters.
        let isUsual: Bool

        /// Folds the letters to one word; `negotiate` has one letter too many for it.
        init(_ name: Span<UInt8>) {
            guard (4...9).contains(name.count) else {
                (kind, isUsual) = (.other, false)
                return
            }
            var letters = FoldedName.Mixture()
            // A bit for each letter, the last one lowest.
            var capitals = 0
            for index in name.indices {
                let letter = name[index].asciiLowercased
                letters.append(letter)
                capitals = capitals << 1 | (letter == name[index] ? 0 : 1)
            }
            kind = Self.kind(of: letters.letters, count: name.count, first: name[0].asciiLowercased)
            isUsual =
                switch kind {
                case .other: false
                case .ntlm: capitals == 0b1111
                case .basic, .digest, .negotiate, .kerberos, .bearer: capitals == 1 << (name.count - 1)
                }
        }

        private static func kind(of letters: UInt64, count: Int, first: UInt8) -> Kind {
            switch (letters, count) {
            case (0x62_6173_6963, 5): .basic
            case (0x6469_6765_7374, 6): .digest
            case (0x6E74_6C6D, 4): .ntlm
            case (0x6B65_7262_6572_6F73, 8): .kerberos
            case (0x6265_6172_6572, 6): .bearer
            case (0x6567_6F74_6961_740B, 9) where first == UInt8(ascii: "n"): .negotiate
            default: .other
            }
        }
    }

    private static func isSame(_ left: UInt8, _ right: UInt8) -> Bool { left.asciiLowercased == right.asciiLowercased }
}

extension AuthenticationScheme {
    /// RFC 7617.
    public static let basic = Self(rawValue: "Basic")
    /// RFC 7616.
    public static let digest = Self(rawValue: "Digest")
    /// MS-NTHT; not registered.
    public static let ntlm = Self(rawValue: "NTLM")
    /// RFC 4559.
    public static let negotiate = Self(rawValue: "Negotiate")
    /// Seen beside `Negotiate`; not registered.
    public static let kerberos = Self(rawValue: "Kerberos")
    /// RFC 6750.
    public static let bearer = Self(rawValue: "Bearer")
    /// RFC 9449.
    public static let dpop = Self(rawValue: "DPoP")
    /// Signed requests to Amazon's services; not registered.
    public static let aws4HMACSHA256 = Self(rawValue: "AWS4-HMAC-SHA256")
    /// Signed requests with a timestamp and a nonce; not registered.
    public static let hawk = Self(rawValue: "Hawk")

    private static let registered: Set<Self> = Set(
        [
            "Basic", "Bearer", "Concealed", "Digest", "DPoP", "GNAP", "HOBA", "Mutual", "Negotiate", "OAuth",
            "PrivateToken", "SCRAM-SHA-1", "SCRAM-SHA-256", "vapid",
        ].map(Self.init(rawValue:))
    )

    private static let unregisteredInUse: Set<Self> = Set(
        [
            "NTLM", "Kerberos", "AWS4-HMAC-SHA256", "Hawk", "Token", "ApiKey", "JWT", "WSSE", "Passport1.4",
            "CitrixAGBasic", "LiveId", "Signature", "SharedKey", "SharedKeyLite", "AWS", "MAC", "GoogleLogin", "SSWS",
            "SAPISIDHASH", "CertID", "WebPush", "X-MobileMe-AuthToken",
        ].map(Self.init(rawValue:))
    )
}

extension AuthenticationScheme: CustomStringConvertible {
    /// The name as on the wire.
    public var description: String { rawValue }
}
