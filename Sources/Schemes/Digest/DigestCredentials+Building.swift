import AuthScanBytes

extension DigestCredentials {
    /// Notes what is malformed.
    func check(_ element: inout FieldElement) {
        guard !isEvidentlyValid else { return }
        noteMissing(&element)
        noteInvalid(&element)
        // RFC 7616 §3.4: 'a sender MUST NOT generate the quoted string syntax for "algorithm", "qop" and "nc"'.
        for name in [ParameterName.algorithm, .qop, .nc] { element.noteQuoted(name, of: parameters) }
    }

    private func noteMissing(_ element: inout FieldElement) {
        func note(_ name: String, _ condition: String = "") {
            element.note(.missingParameter, "\(name) is missing\(condition)", at: element.offset)
        }
        if realm == nil { note("realm") }
        if nonce == nil { note("nonce") }
        if uri == nil { note("uri") }
        if response == nil { note("response") }
        if username == nil, parameters.index(named: .usernameExtended) == nil { note("username") }
        // RFC 7616 §3.4: "This parameter MUST be used if a qop directive was sent".
        if qop != nil, cnonce == nil { note("cnonce", " although qop is there") }
        if qop != nil, nc == nil { note("nc", " although qop is there") }
    }

    private func noteInvalid(_ element: inout FieldElement) {
        func note(_ name: String, _ message: String) {
            element.note(
                .invalidValue,
                message,
                at: parameters.first(named: ParameterName(name))?.offset ?? element.offset
            )
        }
        if let nc, nc.utf8.count != 8 || nonceCount == nil { note("nc", "nc is not eight hexadecimal digits") }
        if let qop, !qop.isASCIIEqual(to: "auth"), !qop.isASCIIEqual(to: "auth-int") {
            note("qop", "qop is neither auth nor auth-int")
        }
        if let response, let digits = effectiveAlgorithm.hash?.digitCount {
            let isDigest = response.withRevealed {
                $0.utf8.count == digits && $0.utf8.allSatisfy { Hex.value(of: $0) != nil }
            }
            if !isDigest { note("response", "response is not \(digits) hexadecimal digits") }
        }
        guard parameters.index(named: .usernameExtended) != nil else { return }
        if usernameExtended == nil { note("username*", "username* is no extended value") }
        // RFC 7616 §3.4: username* is used "if the userhash parameter value is not set true", and never with username.
        if username != nil || userhash == true { note("username*", "username* beside username or userhash") }
    }
}

extension DigestAlgorithm.Hash {
    /// How many hexadecimal digits the hash has.
    var digitCount: Int { self == .md5 ? 32 : 64 }
}

/// An auth-param's value with its charset: `UTF-8''J%C3%A4s%C3%B8n%20Doe`.
///
///     ext-value = charset "'" [ language ] "'" value-chars
///
/// - Source: RFC 8187 §3.2.
enum ExtendedValue {
    /// The text; `nil` where it is no extended value or its charset is neither UTF-8 nor ISO-8859-1.
    static func decode(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var bytes: [UInt8] = []
        var rest = Substring(parts[2]).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hex.value), let low = rest.popFirst().flatMap(Hex.value) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        let charset = String(parts[0])
        if charset.isASCIIEqual(to: "UTF-8") { return String(validating: bytes, as: UTF8.self) }
        guard charset.isASCIIEqual(to: "ISO-8859-1") else { return nil }
        return latin1Text(bytes)
    }
}
