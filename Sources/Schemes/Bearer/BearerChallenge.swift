/// A challenge of the Bearer scheme.
///
/// - Source: RFC 6750 §3; RFC 9470 §3; RFC 9728 §5.1; `authorization_uri`, `client_id` and `claims` are Microsoft's.
public struct BearerChallenge: Hashable, Sendable {
    /// The realm.
    public var realm: String? { parameters.value(.realm) }
    /// The scopes the resource needs; empty where the server says nothing.
    public var scope: [String] { parameters["scope"]?.split(separator: " ").map(String.init) ?? [] }
    /// The error code: `invalid_request`, `invalid_token`, `insufficient_scope`, or another.
    public var error: String? { parameters["error"] }
    /// The error for developers to read.
    public var errorDescription: String? { parameters["error_description"] }
    /// A page about the error.
    public var errorURI: String? { parameters["error_uri"] }
    /// Where the protected resource's metadata lies.
    public var resourceMetadata: String? { parameters["resource_metadata"] }
    /// The authentication context classes the resource needs.
    public var acrValues: String? { parameters["acr_values"] }
    /// How old the user's authentication may be, in seconds, as on the wire.
    public var maxAge: String? { parameters["max_age"] }
    /// Where a client may authorize itself.
    public var authorizationURI: String? { parameters["authorization_uri"] }
    /// The client the server takes the request to come from.
    public var clientID: String? { parameters["client_id"] }
    /// The claims a new token must satisfy, as on the wire.
    public var claims: String? { parameters["claims"] }

    /// All parameters, which the others are taken from.
    let parameters: AuthParameters
}
