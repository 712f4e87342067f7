/// Things in a Digest answer that do not fit its challenge, its request, or the answers before it.
///
/// - Source: RFC 7616 §3.3 and §3.4.
struct DigestFault: OptionSet, Hashable, Sendable {
    /// One bit a fault.
    let rawValue: UInt32

    /// No challenge for it was captured.
    static let noChallenge = DigestFault(rawValue: 1 << 0)
    /// `uri` is not the request target.
    static let uri = DigestFault(rawValue: 1 << 1)
    /// `uri` is an absolute URL, and the request target is not.
    static let absoluteURI = DigestFault(rawValue: 1 << 2)
    /// The user name has a domain or realm glued on.
    static let domainPrefix = DigestFault(rawValue: 1 << 3)
    /// A backslash or quote stands in a quoted-string as it is.
    static let escaping = DigestFault(rawValue: 1 << 4)
    /// `realm` is not that of the challenge.
    static let realm = DigestFault(rawValue: 1 << 5)
    /// `nonce` is not that of the newest challenge.
    static let nonce = DigestFault(rawValue: 1 << 6)
    /// `nonce` was refused before, and the one offered instead is not used.
    static let ignoredNonce = DigestFault(rawValue: 1 << 7)
    /// `nonce` was accepted before and is refused now.
    static let usedNonce = DigestFault(rawValue: 1 << 8)
    /// `nc` is not eight hexadecimal digits.
    static let countForm = DigestFault(rawValue: 1 << 9)
    /// `nc` does not start at 00000001 with a nonce.
    static let countStart = DigestFault(rawValue: 1 << 10)
    /// `nc` was used with this nonce before.
    static let countReused = DigestFault(rawValue: 1 << 11)
    /// `nc` is lower than one that was used before.
    static let countOrder = DigestFault(rawValue: 1 << 12)
    /// `qop` is not one of those offered.
    static let qop = DigestFault(rawValue: 1 << 13)
    /// `qop` is a list.
    static let qopList = DigestFault(rawValue: 1 << 14)
    /// `qop`, `nc` or `cnonce` is missing although `qop` was offered.
    static let qopMissing = DigestFault(rawValue: 1 << 15)
    /// `algorithm` is not one of those offered.
    static let algorithm = DigestFault(rawValue: 1 << 16)
    /// `opaque` is not that of the challenge.
    static let opaque = DigestFault(rawValue: 1 << 17)
    /// A parameter is quoted, or not quoted, against its grammar.
    static let quoting = DigestFault(rawValue: 1 << 18)
    /// A cookie that came with the challenge is not returned.
    static let cookie = DigestFault(rawValue: 1 << 19)
}
