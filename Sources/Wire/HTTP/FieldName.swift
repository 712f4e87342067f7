/// An HTTP field name that the analysis looks at; every other field is skipped.
///
/// - Source: RFC 9110 §5.1 (names are case-insensitive).
public struct FieldName: RawRepresentable, Hashable, Sendable {
    /// The index of the name in `canonicalNames`.
    public let rawValue: UInt8

    /// Creates a name from its index.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Host.
    public static let host = FieldName(rawValue: 0)
    /// User-Agent.
    public static let userAgent = FieldName(rawValue: 1)
    /// Authorization.
    public static let authorization = FieldName(rawValue: 2)
    /// Proxy-Authorization.
    public static let proxyAuthorization = FieldName(rawValue: 3)
    /// WWW-Authenticate.
    public static let wwwAuthenticate = FieldName(rawValue: 4)
    /// Proxy-Authenticate.
    public static let proxyAuthenticate = FieldName(rawValue: 5)
    /// Authentication-Info.
    public static let authenticationInfo = FieldName(rawValue: 6)
    /// Proxy-Authentication-Info.
    public static let proxyAuthenticationInfo = FieldName(rawValue: 7)
    /// Connection.
    public static let connection = FieldName(rawValue: 8)
    /// Proxy-Connection.
    public static let proxyConnection = FieldName(rawValue: 9)
    /// Content-Length.
    public static let contentLength = FieldName(rawValue: 10)
    /// Transfer-Encoding.
    public static let transferEncoding = FieldName(rawValue: 11)
    /// Upgrade.
    public static let upgrade = FieldName(rawValue: 12)
    /// Location.
    public static let location = FieldName(rawValue: 13)
    /// Cookie.
    public static let cookie = FieldName(rawValue: 14)
    /// Set-Cookie.
    public static let setCookie = FieldName(rawValue: 15)
    /// Origin.
    public static let origin = FieldName(rawValue: 16)
    /// Referer.
    public static let referer = FieldName(rawValue: 17)
    /// Access-Control-Request-Method.
    public static let accessControlRequestMethod = FieldName(rawValue: 18)
    /// Server.
    public static let server = FieldName(rawValue: 19)
    /// Via.
    public static let via = FieldName(rawValue: 20)
    /// X-Forwarded-Proto.
    public static let xForwardedProto = FieldName(rawValue: 21)
    /// Sec-Fetch-Dest.
    public static let secFetchDest = FieldName(rawValue: 22)
    /// X-FEServer.
    public static let xFEServer = FieldName(rawValue: 23)
    /// X-Squid-Error.
    public static let xSquidError = FieldName(rawValue: 24)
    /// X-MSDAVEXT_Error.
    public static let xMSDAVEXTError = FieldName(rawValue: 25)
    /// X-Forms_Based_Auth_Required.
    public static let xFormsBasedAuthRequired = FieldName(rawValue: 26)
    /// Persistent-Auth.
    public static let persistentAuth = FieldName(rawValue: 27)
    /// Proxy-Support.
    public static let proxySupport = FieldName(rawValue: 28)
    /// Authentication-Control.
    public static let authenticationControl = FieldName(rawValue: 29)
    /// Optional-WWW-Authenticate.
    public static let optionalWWWAuthenticate = FieldName(rawValue: 30)
    /// DPoP.
    public static let dpop = FieldName(rawValue: 31)
    /// DPoP-Nonce.
    public static let dpopNonce = FieldName(rawValue: 32)
    /// X-Forms_Based_Auth_Return_Url.
    public static let xFormsBasedAuthReturnURL = FieldName(rawValue: 33)
    /// X-FORMS_BASED_AUTH_ACCEPTED.
    public static let xFormsBasedAuthAccepted = FieldName(rawValue: 34)
    /// X-Amz-Date.
    public static let xAmzDate = FieldName(rawValue: 35)
    /// X-Amz-Content-Sha256.
    public static let xAmzContentSHA256 = FieldName(rawValue: 36)
    /// X-WSSE.
    public static let xWSSE = FieldName(rawValue: 37)
    /// Lfs-Authenticate.
    public static let lfsAuthenticate = FieldName(rawValue: 38)
    /// Expect.
    public static let expect = FieldName(rawValue: 39)
    /// X-Forwarded-For.
    public static let xForwardedFor = FieldName(rawValue: 40)
    /// When the message was made: RFC 9110 §6.6.1.
    public static let date = FieldName(rawValue: 41)
    /// Accept.
    public static let accept = FieldName(rawValue: 42)
    /// X-Requested-With.
    public static let xRequestedWith = FieldName(rawValue: 43)
    /// Range.
    public static let range = FieldName(rawValue: 44)

    /// The names as their specifications spell them, by raw value.
    public static let canonicalNames = [
        "Host", "User-Agent", "Authorization", "Proxy-Authorization", "WWW-Authenticate", "Proxy-Authenticate",
        "Authentication-Info", "Proxy-Authentication-Info", "Connection", "Proxy-Connection", "Content-Length",
        "Transfer-Encoding", "Upgrade", "Location", "Cookie", "Set-Cookie", "Origin", "Referer",
        "Access-Control-Request-Method", "Server", "Via", "X-Forwarded-Proto", "Sec-Fetch-Dest", "X-FEServer",
        "X-Squid-Error", "X-MSDAVEXT_Error", "X-Forms_Based_Auth_Required", "Persistent-Auth", "Proxy-Support",
        "Authentication-Control", "Optional-WWW-Authenticate", "DPoP", "DPoP-Nonce", "X-Forms_Based_Auth_Return_Url",
        "X-FORMS_BASED_AUTH_ACCEPTED", "X-Amz-Date", "X-Amz-Content-Sha256", "X-WSSE", "Lfs-Authenticate", "Expect",
        "X-Forwarded-For", "Date", "Accept", "X-Requested-With", "Range",
    ]
}

extension FieldName {
    /// No field: the request target, which lies with the field lines of its message.
    static let requestTarget = FieldName(rawValue: 62)
    /// No field: a method too long for `ShortName`.
    static let requestMethod = FieldName(rawValue: 63)

    /// Whether it is a part of the start line instead of a field.
    var isOfStartLine: Bool { rawValue >= FieldName.requestTarget.rawValue }
}

extension FieldName: CustomStringConvertible {
    /// The name as its specification spells it.
    public var description: String { FieldName.canonicalNames[Int(rawValue)] }
}
