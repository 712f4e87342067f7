import AuthScanWire

/// Who asks for credentials: the origin server, or a proxy on the way to it.
///
/// - Source: RFC 9110 §11.6 and §11.7.
public enum AuthenticationTarget: String, Hashable, Sendable {
    /// The origin server: 401, `WWW-Authenticate`, `Authorization`.
    case origin
    /// A proxy: 407, `Proxy-Authenticate`, `Proxy-Authorization`.
    case proxy
}

extension AuthenticationTarget {
    /// The status that asks for credentials.
    ///
    /// - Source: RFC 9110 §15.5.2 and §15.5.8.
    public var refusalStatus: Int { self == .origin ? 401 : 407 }

    /// The field in which a client sends credentials.
    ///
    /// - Source: RFC 9110 §11.6.2 and §11.7.2.
    var credentialsField: FieldName { self == .origin ? .authorization : .proxyAuthorization }

    /// The field in which credentials are asked for.
    ///
    /// - Source: RFC 9110 §11.6.1 and §11.7.1.
    var challengeField: FieldName { self == .origin ? .wwwAuthenticate : .proxyAuthenticate }
}
