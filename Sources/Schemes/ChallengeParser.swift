/// Reads the fields of HTTP authentication.
///
/// - Source: RFC 9110 §11.
public struct ChallengeParser {
    /// The challenges of one `WWW-Authenticate` or `Proxy-Authenticate` field value, in wire order.
    ///
    /// A malformed challenge is among them, with its problems. Linear in the value's length.
    public static func parseChallenges(
        _ fieldValue: ArraySlice<UInt8>,
        target: Challenge.Target = .origin
    ) -> [Challenge] {
        []
    }

    /// The credentials of one `Authorization` or `Proxy-Authorization` field value.
    ///
    /// Malformed credentials are returned with their problems. Linear in the value's length.
    public static func parseCredentials(_ fieldValue: ArraySlice<UInt8>) -> Credentials {
        Credentials(
            scheme: AuthenticationScheme(rawValue: ""),
            parameters: [],
            token68: nil,
            unparsed: nil,
            problems: [],
            content: .other
        )
    }

    /// The auth-params of one `Authentication-Info` or `Proxy-Authentication-Info` field value.
    public static func parseAuthenticationInfo(_ fieldValue: ArraySlice<UInt8>) -> AuthenticationInfo {
        AuthenticationInfo(parameters: [], problems: [])
    }
}
