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
    /// Keep-Alive.
    public static let keepAlive = FieldName(rawValue: 10)
    /// Content-Length.
    public static let contentLength = FieldName(rawValue: 11)
    /// Transfer-Encoding.
    public static let transferEncoding = FieldName(rawValue: 12)
    /// Content-Type.
    public static let contentType = FieldName(rawValue: 13)
    /// Upgrade.
    public static let upgrade = FieldName(rawValue: 14)
    /// Expect.
    public static let expect = FieldName(rawValue: 15)
    /// Location.
    public static let location = FieldName(rawValue: 16)
    /// Cookie.
    public static let cookie = FieldName(rawValue: 17)
    /// Set-Cookie.
    public static let setCookie = FieldName(rawValue: 18)
    /// Origin.
    public static let origin = FieldName(rawValue: 19)
    /// Referer.
    public static let referer = FieldName(rawValue: 20)
    /// Access-Control-Request-Method.
    public static let accessControlRequestMethod = FieldName(rawValue: 21)
    /// Server.
    public static let server = FieldName(rawValue: 22)
    /// Via.
    public static let via = FieldName(rawValue: 23)
    /// X-Forwarded-For.
    public static let xForwardedFor = FieldName(rawValue: 24)
    /// X-Forwarded-Proto.
    public static let xForwardedProto = FieldName(rawValue: 25)
    /// Persistent-Auth.
    public static let persistentAuth = FieldName(rawValue: 26)
    /// Proxy-Support.
    public static let proxySupport = FieldName(rawValue: 27)
    /// Date.
    public static let date = FieldName(rawValue: 28)
    /// Retry-After.
    public static let retryAfter = FieldName(rawValue: 29)
    /// Range.
    public static let range = FieldName(rawValue: 30)
    /// Sec-Fetch-Dest.
    public static let secFetchDest = FieldName(rawValue: 31)
    /// Sec-Fetch-Mode.
    public static let secFetchMode = FieldName(rawValue: 32)
    /// X-FEServer.
    public static let xFEServer = FieldName(rawValue: 33)
    /// X-Squid-Error.
    public static let xSquidError = FieldName(rawValue: 34)
    /// X-MSDAVEXT_Error.
    public static let xMSDAVEXTError = FieldName(rawValue: 35)
    /// X-Forms_Based_Auth_Required.
    public static let xFormsBasedAuthRequired = FieldName(rawValue: 36)
    /// Accept-Encoding.
    public static let acceptEncoding = FieldName(rawValue: 37)
    /// Accept.
    public static let accept = FieldName(rawValue: 38)
    /// X-Requested-With.
    public static let xRequestedWith = FieldName(rawValue: 39)
    /// CF-RAY.
    public static let cfRay = FieldName(rawValue: 40)
    /// DPoP.
    public static let dpop = FieldName(rawValue: 41)

    /// The names as their specifications spell them, by raw value.
    public static let canonicalNames = [
        "Host", "User-Agent", "Authorization", "Proxy-Authorization", "WWW-Authenticate", "Proxy-Authenticate",
        "Authentication-Info", "Proxy-Authentication-Info", "Connection", "Proxy-Connection", "Keep-Alive",
        "Content-Length", "Transfer-Encoding", "Content-Type", "Upgrade", "Expect", "Location", "Cookie", "Set-Cookie",
        "Origin", "Referer", "Access-Control-Request-Method", "Server", "Via", "X-Forwarded-For", "X-Forwarded-Proto",
        "Persistent-Auth", "Proxy-Support", "Date", "Retry-After", "Range", "Sec-Fetch-Dest", "Sec-Fetch-Mode",
        "X-FEServer", "X-Squid-Error", "X-MSDAVEXT_Error", "X-Forms_Based_Auth_Required", "Accept-Encoding", "Accept",
        "X-Requested-With", "CF-RAY", "DPoP",
    ]
}

extension FieldName: CustomStringConvertible {
    /// The name as its specification spells it.
    public var description: String { FieldName.canonicalNames[Int(rawValue)] }
}
