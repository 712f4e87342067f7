/// The auth-params of Basic and Digest, whose names are told apart while a field is read.
///
/// - Source: RFC 7616 §3.3, §3.4; RFC 7617 §2.
enum KnownParameter: UInt8, Sendable, CaseIterable {
    case realm, nonce, opaque, stale, algorithm, qop, charset, userhash, domain
    case username, usernameExtended, uri, response, cnonce, nc

    /// Tells a name by its letters in lower case; `nil` for another one.
    ///
    /// Of names with more letters than a word has bytes, the first one tells those apart that mix to the same word.
    @inline(__always)
    init?(_ mixture: FoldedName.Mixture, count: Int, first: UInt8) {
        let known: Self? =
            count <= 8
            ? Self.short(mixture.letters) : count == 9 ? Self.long(mixture.letters, first.asciiLowercased) : nil
        guard let known else { return nil }
        self = known
    }

    private static func short(_ letters: UInt64) -> Self? {
        switch letters {
        case 0x72_6561_6C6D: .realm
        case 0x6E_6F6E_6365: .nonce
        case 0x6F70_6171_7565: .opaque
        case 0x73_7461_6C65: .stale
        case 0x71_6F70: .qop
        case 0x63_6861_7273_6574: .charset
        case 0x7573_6572_6861_7368: .userhash
        case 0x646F_6D61_696E: .domain
        case 0x7573_6572_6E61_6D65: .username
        case 0x75_7269: .uri
        case 0x7265_7370_6F6E_7365: .response
        case 0x636E_6F6E_6365: .cnonce
        case 0x6E63: .nc
        default: nil
        }
    }

    private static func long(_ letters: UInt64, _ first: UInt8) -> Self? {
        switch (letters, first) {
        case (0x6C67_6F72_6974_680C, UInt8(ascii: "a")): .algorithm
        case (0x7365_726E_616D_655F, UInt8(ascii: "u")): .usernameExtended
        default: nil
        }
    }

    /// Whether RFC 7616 wants the value in quotes, even where it is a token.
    ///
    /// - Source: RFC 7616 §3.4: "for historical reasons, the quoted-string syntax" of these.
    var isQuotedInDigestCredentials: Bool {
        switch self {
        case .username, .nonce, .uri, .response, .cnonce, .opaque: true
        default: false
        }
    }
}
