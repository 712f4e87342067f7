/// A challenge of the Bearer scheme.
///
/// - Source: RFC 6750 §3; RFC 9470 §3; RFC 9728 §5.1; `authorization_uri`, `client_id` and `claims` are Microsoft's.
public struct BearerChallenge: Hashable, Sendable {
    /// The realm.
    public let realm: String?
    /// The scopes the resource needs; empty where the server says nothing.
    public let scope: [String]
    /// The error code: `invalid_request`, `invalid_token`, `insufficient_scope`, or another.
    public let error: String?
    /// The error for developers to read.
    public let errorDescription: String?
    /// A page about the error.
    public let errorURI: String?
    /// Where the protected resource's metadata lies.
    public let resourceMetadata: String?
    /// The authentication context classes the resource needs.
    public let acrValues: String?
    /// How old the user's authentication may be, in seconds, as on the wire.
    public let maxAge: String?
    /// Where a client may authorize itself.
    public let authorizationURI: String?
    /// The client the server takes the request to come from.
    public let clientID: String?
    /// The claims a new token must satisfy, as on the wire.
    public let claims: String?
}
