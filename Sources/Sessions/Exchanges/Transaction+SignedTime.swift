import AuthScanSchemes
import AuthScanWire

extension Transaction {
    /// The server's time when it answered, in seconds since 1970, as its Date field has it; `nil` where there is none.
    ///
    /// - Source: RFC 9110 §6.6.1.
    public var serverDate: Int? { response?.fields.text(of: .date).flatMap(HTTPDate.seconds) }

    /// When the server judged the request, in seconds since 1970: by its own clock, or the capture's where it does not say.
    ///
    /// The server's decides what is too early or too late, and whoever captured on the client has the client's.
    public var judgedAt: Int { serverDate ?? Int(startTime.nanoseconds / 1_000_000_000) }

    /// By how many seconds the time that a request to Amazon's services is signed with lies behind the service's.
    ///
    /// `nil` where the service would accept the difference, or the request has no such time.
    /// - Source: AWS Signature Version 4 (`X-Amz-Date`; the services' tolerance).
    public var signedTimeSkew: Int? {
        guard let text = request?.fields.text(of: .xAmzDate), let signed = Self.seconds(text) else { return nil }
        let skew = judgedAt - signed
        return skew.magnitude > signedTimeTolerance ? skew : nil
    }

    /// How many seconds the service of the credential scope allows.
    public var signedTimeTolerance: Int {
        let scope = originFields.credentials.first?.parameters["Credential"] ?? ""
        return scope.split(separator: "/").suffix(2).first == "s3" ? 900 : 300
    }

    /// A time of the basic format of ISO 8601, `YYYYMMDDTHHMMSSZ`, in seconds since 1970.
    private static func seconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T") else { return nil }
        // Without the letter between date and time it is a KerberosTime.
        return KerberosTime(text: String(decoding: bytes[..<8] + bytes[9...], as: UTF8.self))
            .map { Int($0.secondsSinceEpoch) }
    }
}
