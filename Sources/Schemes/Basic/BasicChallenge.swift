/// A challenge of the Basic scheme.
///
/// - Source: RFC 7617 §2, §2.1.
public struct BasicChallenge: Hashable, Sendable {
    /// The realm; required, `nil` where the server left it out.
    public var realm: String? { parameters.value(.realm) }

    /// The charset the server expects user-id and password in; `nil` where it says nothing.
    ///
    /// The one defined value is `UTF-8`, in any letter case.
    public var charset: String? { parameters.value(.charset) }

    /// All parameters, which the others are taken from.
    let parameters: AuthParameters
}
