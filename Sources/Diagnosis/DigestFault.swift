/// Something in a Digest answer that does not fit its challenge, its request, or the answers before it.
///
/// - Source: RFC 7616 §3.3 and §3.4.
enum DigestFault: String, Hashable, Sendable {
    case noChallenge = "no challenge for it was captured"
    case uri = "uri is not the request target"
    case absoluteURI = "uri is an absolute URL, and the request target is not"
    case domainPrefix = "the user name has a domain or realm glued on"
    case escaping = "a backslash or quote stands in a quoted-string as it is"
    case realm = "realm is not that of the challenge"
    case nonce = "nonce is not that of the newest challenge"
    case ignoredNonce = "nonce was refused before, and the one offered instead is not used"
    case usedNonce = "nonce was accepted before and is refused now"
    case countForm = "nc is not eight hexadecimal digits"
    case countStart = "nc does not start at 00000001 with a nonce"
    case countReused = "nc was used with this nonce before"
    case countOrder = "nc is lower than one that was used before"
    case qop = "qop is not one of those offered"
    case qopList = "qop is a list"
    case qopMissing = "qop, nc or cnonce is missing although qop was offered"
    case algorithm = "algorithm is not one of those offered"
    case opaque = "opaque is not that of the challenge"
    case quoting = "a parameter is quoted, or not quoted, against its grammar"
    case cookie = "a cookie that came with the challenge is not returned"
}
