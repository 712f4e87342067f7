import AuthScanBytes

/// Schemes that sign the request with a key both sides know.
extension SchemeDetails {
    /// `AWS4-HMAC-SHA256 Credential=key/date/region/service/aws4_request, SignedHeaders=a;b, Signature=hex`.
    ///
    /// - Source: Amazon Web Services, "Signature Version 4 signing process".
    static func aws4(_ parameters: SchemeParameters) -> Self {
        var details = Self("aws4")
        if let scope = parameters["Credential"] {
            let parts = scope.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            // An access key may hold slashes; the four parts of the scope may not.
            if parts.count >= 5 {
                let last = parts.suffix(4)
                details.add("accessKey", text: parts.dropLast(4).joined(separator: "/"))
                for (name, part) in zip(["date", "region", "service", "terminator"], last) {
                    details.add(name, text: part)
                }
                let date = last.first ?? ""
                if date.utf8.count != 8 || !date.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                    let offset = parameters.offset(of: "Credential")
                    details.note(.invalidValue, "the date of Credential is not YYYYMMDD", at: offset)
                }
                if last.last != "aws4_request" {
                    let offset = parameters.offset(of: "Credential")
                    details.note(.invalidValue, "Credential does not end in aws4_request", at: offset)
                }
            } else {
                let message = "Credential is not key/date/region/service/aws4_request"
                details.note(.invalidValue, message, at: parameters.offset(of: "Credential"))
            }
        }
        details.add(
            "signedHeaders",
            parameters["SignedHeaders"].map { .list($0.split(separator: ";").map(String.init)) }
        )
        details.add("signature", secret: parameters["Signature"], "hexadecimal digits of HMAC-SHA-256")
        if let signature = parameters["Signature"],
            signature.utf8.count != 64 || !signature.utf8.allSatisfy({ Hex.value(of: $0) != nil })
        {
            details.note(
                .invalidValue,
                "Signature is not 64 hexadecimal digits",
                at: parameters.offset(of: "Signature")
            )
        }
        details.require(["Credential", "SignedHeaders", "Signature"], in: parameters.parameters)
        return details
    }

    /// `Hawk id="…", ts="…", nonce="…", ext="…", mac="…", hash="…"`; a challenge may hold `ts` and `tsm`.
    ///
    /// - Source: the Hawk specification, version 9 (github.com/mozilla/hawk).
    static func hawk(_ parameters: SchemeParameters) -> Self {
        var details = Self("hawk")
        details.add("id", text: parameters["id"])
        details.addTime("ts", in: parameters)
        for name in ["nonce", "ext", "app", "dlg", "error"] { details.add(name, text: parameters[name]) }
        details.add("hash", secret: parameters["hash"], "a hash of the payload")
        details.add("mac", secret: parameters["mac"], "the request's signature")
        details.add("tsm", secret: parameters["tsm"], "the server's signature of its time")
        if !parameters.isChallenge { details.require(["id", "ts", "nonce", "mac"], in: parameters.parameters) }
        return details
    }

    /// OAuth 1.0.
    ///
    /// - Source: RFC 5849 §3.1, §3.5.1.
    static func oauth(_ parameters: SchemeParameters) -> Self {
        var details = Self("oauth1")
        details.add("realm", text: parameters["realm"])
        guard !parameters.isChallenge else { return details }
        // RFC 5849 §3.5.1: names and values are percent-encoded.
        details.add("consumerKey", text: parameters["oauth_consumer_key"].map(percentDecoded))
        details.add("token", secret: parameters["oauth_token"].map(percentDecoded))
        let method = parameters["oauth_signature_method"]
        details.add("signatureMethod", text: method)
        details.addTime("oauth_timestamp", as: "timestamp", in: parameters)
        details.add("nonce", text: parameters["oauth_nonce"].map(percentDecoded))
        details.add("version", text: parameters["oauth_version"])
        details.add("callback", text: parameters["oauth_callback"].map(percentDecoded))
        details.add("verifier", secret: parameters["oauth_verifier"].map(percentDecoded))
        details.add("signature", secret: parameters["oauth_signature"].map(percentDecoded))
        details.require(["oauth_consumer_key", "oauth_signature_method", "oauth_signature"], in: parameters.parameters)
        // RFC 5849 §3.1: both "MAY be omitted when using the "PLAINTEXT" signature method".
        if method != "PLAINTEXT" { details.require(["oauth_timestamp", "oauth_nonce"], in: parameters.parameters) }
        if let version = parameters["oauth_version"], version != "1.0" {
            details.note(.invalidValue, "oauth_version is not 1.0", at: parameters.offset(of: "oauth_version"))
        }
        return details
    }

    /// A parameter that holds seconds since 1970.
    private mutating func addTime(_ name: String, as shown: String? = nil, in parameters: SchemeParameters) {
        guard let text = parameters[name] else { return }
        // A year of five digits is no time, and would not print as one.
        if let seconds = Int(text), (0..<253_402_300_800).contains(seconds) {
            add(shown ?? name, .time(seconds))
        } else {
            add(shown ?? name, text: text)
            note(.invalidValue, "\(name) is no count of seconds", at: parameters.offset(of: name))
        }
    }
}

/// Text with each `%XX` replaced by its byte; what follows no grammar stays as it is.
///
/// - Source: RFC 3986 §2.1.
func percentDecoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), rest.count >= 2, let high = Hex.value(of: rest[rest.startIndex]),
            let low = Hex.value(of: rest[rest.startIndex + 1])
        {
            bytes.append(high << 4 | low)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte)
        }
    }
    return fieldText(bytes[...])
}
