import AuthScanBytes

/// What SharePoint says in `X-MSDAVEXT_Error` where it refuses: a number, and a text that is percent-encoded.
///
/// - Source: MS-WDVME 2.2.3.
public struct SharePointError: Hashable, Sendable {
    /// The number: 917656 asks for a forms-based login.
    public let code: Int
    /// The text, decoded.
    public let message: String

    /// Decodes a field value; `nil` where it does not start with a number.
    public init?(_ fieldValue: String) {
        let parts = fieldValue.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let code = Int(String(first.filter { $0 != " " })) else { return nil }
        self.code = code
        let text = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
        message = percentDecoded(String(text))
    }

    /// Whether the server wants a forms-based login instead of HTTP authentication.
    public var wantsForms: Bool { code == 917_656 }
}
