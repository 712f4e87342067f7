import AuthScanWire

extension Transaction {
    /// Whether the request's query holds a signature that grants access to a storage service by itself.
    ///
    /// - Source: AWS Signature Versions 2 and 4 (query string authentication), Google's V4 signed URLs, CloudFront signed URLs,
    ///   Azure shared access signatures.
    public var hasSignedURL: Bool {
        guard let target = request?.target, let query = target.firstIndex(of: "?") else { return false }
        let names = Set(
            target[target.index(after: query)...].split(separator: "&").map { parameter in
                parameter.prefix { $0 != "=" }.lowercased()
            }
        )
        return Transaction.signedNames.contains { names.isSuperset(of: $0) }
    }

    /// The parameters, in lower case, that make a signed URL together: a signature alone may be anything's.
    private static let signedNames: [[String]] = [
        ["x-amz-signature", "x-amz-algorithm"], ["x-goog-signature", "x-goog-algorithm"],
        ["signature", "expires", "awsaccesskeyid"], ["signature", "expires", "googleaccessid"],
        ["signature", "key-pair-id"], ["sig", "sv", "se"],
    ]
}
