import AuthScanBytes
import AuthScanWire

extension Transaction {
    /// Whether the request's URL is signed: its query grants by itself what is asked for, as storage services hand it out.
    ///
    /// A name alone that many use for something else, such as `sig`, counts together with the one that goes with it.
    ///
    /// - Source: AWS Signature Version 4, "Authenticating Requests: Using Query Parameters"; Google Cloud Storage, "Signed
    ///   URLs"; Azure Storage, "Create a service SAS".
    public var isSignedURL: Bool {
        let target = request?.targetBytes ?? []
        guard let query = target.firstIndex(of: UInt8(ascii: "?")) else { return false }
        let names = target[(query + 1)...].split(separator: UInt8(ascii: "&")).map { parameter in
            fieldText(parameter.prefix { $0 != UInt8(ascii: "=") }).lowercased()
        }
        return Transaction.signatures.contains { signature in
            names.contains(signature.name)
                && (signature.companions.isEmpty || signature.companions.contains(where: names.contains))
        }
    }

    /// The parameters that hold a signature, in lower case, with those of which one goes with it.
    private static let signatures: [(name: String, companions: [String])] = [
        ("x-amz-signature", []), ("x-goog-signature", []), ("x-oss-signature", []),
        ("signature", ["awsaccesskeyid", "googleaccessid", "ossaccesskeyid", "key-pair-id"]),
        ("sig", ["sv"]),
    ]
}
