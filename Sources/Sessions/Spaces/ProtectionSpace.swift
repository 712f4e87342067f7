public import AuthScanSchemes

/// The part of a server that one credential is good for.
///
/// - Source: RFC 9110 §11.5.
public struct ProtectionSpace: Sendable {
    /// Its number, counted from 1 in the order in which protection spaces are met.
    public var number: Int

    /// The server, or the proxy.
    public var origin: Origin

    /// The realm of its challenges; `nil` where no challenge with a realm was seen.
    public var realm: String?

    /// Whether a proxy asks, not the server.
    public var isProxy: Bool

    /// The schemes offered, or used without an offer, in the order in which they were met.
    public var schemes: [AuthenticationScheme]

    /// States a protection space.
    public init(number: Int, origin: Origin, realm: String?, isProxy: Bool, schemes: [AuthenticationScheme]) {
        self.number = number
        self.origin = origin
        self.realm = realm
        self.isProxy = isProxy
        self.schemes = schemes
    }

    /// What the URL loading system calls the schemes: values of `URLProtectionSpace.authenticationMethod`.
    ///
    /// Schemes that it does not handle (Bearer among them) have none.
    public var appleMethods: [String] {
        schemes.compactMap { scheme in
            switch scheme.kind {
            case .basic: "NSURLAuthenticationMethodHTTPBasic"
            case .digest: "NSURLAuthenticationMethodHTTPDigest"
            case .ntlm: "NSURLAuthenticationMethodNTLM"
            case .negotiate: "NSURLAuthenticationMethodNegotiate"
            case .bearer, .kerberos, .other: nil
            }
        }
    }
}
