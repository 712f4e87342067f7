import AuthScanBytes

/// Schemes in which the client proves that it holds a private key, or a token made for this occasion.
extension SchemeDetails {
    /// HOBA: a challenge, and in the credentials `result="kid.challenge.nonce.sig"`.
    ///
    /// - Source: RFC 7486 §3, §2.
    static func hoba(_ parameters: SchemeParameters) -> Self {
        var details = Self("hoba")
        if parameters.isChallenge {
            details.add("challenge", text: parameters["challenge"])
            details.add("maxAge", parameters["max-age"].map { Int($0).map { .number($0) } ?? .text($0) }, "in seconds")
            details.add("realm", text: parameters["realm"])
            details.require(["challenge", "max-age"], in: parameters.parameters)
            return details
        }
        details.require(["result"], in: parameters.parameters)
        guard let result = parameters["result"] else { return details }
        let parts = result.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4 else {
            let message = "result has \(parts.count) parts, not kid.challenge.nonce.sig"
            details.note(.invalidValue, message, at: parameters.offset(of: "result"))
            return details
        }
        for (name, part) in zip(["kid", "challenge", "nonce"], parts) { details.add(name, text: part) }
        details.add("sig", secret: parts[3])
        return details
    }

    /// Mutual: key exchange (`ks1`, `kc1`), then verification (`vkc`, `vks`).
    ///
    /// - Source: RFC 8120 §3, §4.
    static func mutual(_ parameters: SchemeParameters) -> Self {
        var details = Self("mutual")
        let message: String? =
            switch (parameters.isChallenge, parameters["sid"] != nil) {
            case (true, false): "401-INIT"
            case (true, true): parameters["ks1"] != nil ? "401-KEX-S1" : "401-STALE"
            case (false, _): parameters["vkc"] != nil ? "req-VFY-C" : parameters["kc1"] != nil ? "req-KEX-C1" : nil
            }
        details.add("message", text: message)
        let plain = [
            "version", "algorithm", "validation", "auth-scope", "realm", "reason", "user", "sid", "nc", "nc-max",
            "nc-window", "time", "path",
        ]
        for name in plain { details.add(name, text: parameters[name]) }
        for name in ["ks1", "kc1", "vkc", "vks"] { details.add(name, secret: parameters[name]) }
        details.require(["version", "algorithm", "validation", "realm"], in: parameters.parameters)
        return details
    }

    /// Voluntary identification of a push server: a signed JWT and the key that verifies it.
    ///
    /// - Source: RFC 8292 §3.
    static func vapid(_ parameters: SchemeParameters) -> Self {
        var details = Self("vapid")
        guard !parameters.isChallenge else { return details }
        details.addToken("t", parameters["t"], required: true, at: parameters.offset(of: "t"))
        details.add("k", text: parameters["k"], "the public key of P-256, in base64url")
        details.require(["t", "k"], in: parameters.parameters)
        return details
    }

    /// Privacy Pass: which issuer's token is wanted, or the token.
    ///
    ///     TokenChallenge  0 token_type (2)  2 issuer_name <1..2^16-1>  redemption_context <0..32>  origin_info <0..2^16-1>
    ///     Token           0 token_type (2)  2 nonce (32)  34 challenge_digest (32)  66 token_key_id (32)  98 authenticator
    ///
    /// - Source: RFC 9577 §2.1, §2.2.
    static func privateToken(_ parameters: SchemeParameters) -> Self {
        var details = Self("privateToken")
        if parameters.isChallenge {
            details.addPrivateTokenChallenge(parameters["challenge"], at: parameters.offset(of: "challenge"))
            details.add("tokenKey", text: parameters["token-key"], "the issuer's public key")
            details.add("maxAge", parameters["max-age"].map { Int($0).map { .number($0) } ?? .text($0) }, "in seconds")
            details.require(["challenge", "token-key"], in: parameters.parameters)
            return details
        }
        details.require(["token"], in: parameters.parameters)
        guard let token = parameters["token"] else { return details }
        let offset = parameters.offset(of: "token")
        guard let bytes = urlSafeBytes(token) else {
            details.note(.invalidBase64, "token is no base64url", at: offset)
            return details
        }
        var cursor = ByteCursor(bytes[...])
        do throws(DecodeError) {
            details.addTokenType(try cursor.readBigEndian(UInt16.self, as: "token_type"))
            details.add("nonce", .bytes(Array(try cursor.take(32, as: "nonce"))))
            details.add("challengeDigest", .bytes(Array(try cursor.take(32, as: "challenge_digest"))))
            details.add("tokenKeyID", .bytes(Array(try cursor.take(32, as: "token_key_id"))))
            let authenticator = try cursor.take(cursor.remaining, as: "authenticator")
            details.add("authenticator", .secret(Secret(Hex.encode(authenticator), byteCount: authenticator.count)))
        } catch {
            details.note(.invalidToken, error.description, at: offset)
        }
        return details
    }

    private mutating func addPrivateTokenChallenge(_ text: String?, at offset: Int) {
        guard let text else { return }
        guard let bytes = urlSafeBytes(text) else {
            return note(.invalidBase64, "challenge is no base64url", at: offset)
        }
        var cursor = ByteCursor(bytes[...])
        do throws(DecodeError) {
            addTokenType(try cursor.readBigEndian(UInt16.self, as: "token_type"))
            let issuer = Int(try cursor.readBigEndian(UInt16.self, as: "issuer_name"))
            add("issuerName", text: fieldText(try cursor.take(issuer, as: "issuer_name")))
            let context = Int(try cursor.readBigEndian(UInt8.self, as: "redemption_context"))
            add("redemptionContext", .bytes(Array(try cursor.take(context, as: "redemption_context"))))
            let origin = Int(try cursor.readBigEndian(UInt16.self, as: "origin_info"))
            let origins = fieldText(try cursor.take(origin, as: "origin_info"))
            add("originInfo", .list(origins.split(separator: ",").map(String.init)))
        } catch {
            note(.invalidToken, error.description, at: offset)
        }
    }

    private mutating func addTokenType(_ type: UInt16) {
        let meaning: String? =
            switch type {
            case 1: "VOPRF (P-384, SHA-384)"
            case 2: "Blind RSA (2048-bit)"
            default: nil
            }
        add("tokenType", .number(Int(type)), meaning)
    }

    /// Concealed: a signature that no challenge asks for.
    ///
    /// - Source: RFC 9729 §4.
    static func concealed(_ parameters: SchemeParameters) -> Self {
        var details = Self("concealed")
        details.add("k", text: parameters["k"], "the key's identifier")
        details.add("a", text: parameters["a"], "the public key")
        details.add(
            "s",
            parameters["s"].map { Int($0).map { .number($0) } ?? .text($0) },
            "the signature scheme of TLS"
        )
        details.add("v", secret: parameters["v"], "the verification, exported from TLS")
        details.add("p", secret: parameters["p"], "the signature")
        if !parameters.isChallenge { details.require(["k", "a", "s", "v", "p"], in: parameters.parameters) }
        return details
    }

    /// GNAP: where a client may ask for access, or the access token.
    ///
    /// - Source: RFC 9635 §7.2, §9.1.
    static func gnap(_ parameters: SchemeParameters) -> Self {
        var details = Self("gnap")
        if parameters.isChallenge {
            details.add("asURI", text: parameters["as_uri"], "where the client may ask for access")
            for name in ["access", "referrer"] { details.add(name, text: parameters[name]) }
            details.require(["as_uri"], in: parameters.parameters)
        } else {
            details.addAccessToken(parameters)
        }
        return details
    }

    /// DPoP: an access token that is bound to a key; the proof stands in a field of its own.
    ///
    /// - Source: RFC 9449 §7.1.
    static func dpop(_ parameters: SchemeParameters) -> Self {
        var details = Self("dpop")
        if parameters.isChallenge {
            details.add("algs", parameters["algs"].map { .list($0.split(separator: " ").map(String.init)) })
            for name in ["realm", "scope", "error", "error_description"] { details.add(name, text: parameters[name]) }
        } else {
            details.addAccessToken(parameters)
        }
        return details
    }

    /// An opaque or a JSON Web Token under a scheme of no standard.
    static func token(_ scheme: AuthenticationScheme, _ parameters: SchemeParameters) -> Self {
        var details = Self("token")
        let token = parameters.token68?.text.withRevealed { $0 } ?? parameters["token"]
        if !parameters.isChallenge { details.addToken("token", token, at: parameters.token68?.offset ?? 0) }
        return details
    }

    /// Citrix Access Gateway's own scheme.
    ///
    /// - Source: packet-http.c of Wireshark, whose decoder knows the four parameters.
    static func citrix(_ parameters: SchemeParameters) -> Self {
        var details = Self("citrixAGBasic")
        for name in ["username", "domain"] {
            guard let text = parameters[name] else { continue }
            // Values that are no base64 are shown as they are.
            let bytes = try? Base64.decode(Array(text.utf8)[...])
            details.add(name, text: bytes.map { fieldText($0[...]) } ?? text)
        }
        for name in ["password", "AGESessionId"] { details.add(name, secret: parameters[name]) }
        return details
    }

    /// The access token that stands in the place of parameters.
    private mutating func addAccessToken(_ parameters: SchemeParameters) {
        addToken("accessToken", parameters.token68?.text.withRevealed { $0 }, at: parameters.token68?.offset ?? 0)
    }

    /// A token, with its header and claims where it is a JSON Web Token.
    private mutating func addToken(_ name: String, _ text: String?, required: Bool = false, at offset: Int) {
        guard let text else { return }
        add(name, secret: text)
        switch JSONWebToken.read(text) {
        case .success(let token):
            add("\(name).header", .json(token.header))
            if token.serialization == .jws { add("\(name).claims", .json(token.claims)) }
            if let problem = token.problem { note(.invalidToken, problem.description, at: offset + problem.offset) }
        case .failure(let error):
            if required || JSONWebToken.looksLikeOne(text) {
                note(.invalidToken, error.description, at: offset + error.offset)
            }
        }
    }
}

/// The bytes of base64url, with or without padding; `nil` where the text is none.
///
/// - Source: RFC 9577 §2 (padding is optional).
private func urlSafeBytes(_ text: String) -> [UInt8]? {
    let letters = Array(text.utf8)
    let bare = letters.prefix(letters.count - letters.reversed().prefix { $0 == UInt8(ascii: "=") }.count)
    // The reason is of no use to the caller, who names the parameter.
    return try? Base64.decode(bare, alphabet: .urlSafe)
}
