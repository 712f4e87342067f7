/// Turns the tokens of one transcript into bytes, and remembers what later ones depend on.
struct TokenEncoder {
    /// Which message of the transcript the token is in, counted from 1: made-up bytes differ by it.
    var position = 1

    /// The latest CHALLENGE_MESSAGE: the next AUTHENTICATE_MESSAGE answers it.
    var challenge = ChallengeContents()

    /// The latest NEGOTIATE_MESSAGE and CHALLENGE_MESSAGE, which a message integrity code covers.
    var earlierMessages: (negotiate: [UInt8], challenge: [UInt8]) = ([], [])

    /// The field value or body text that an expression stands for.
    mutating func text(of expression: TokenExpression) throws(TranscriptError) -> String {
        if expression.words[0] == "jwt" { return try jsonWebToken(expression) }
        return base64(try bytes(of: expression))
    }

    /// The token that an expression stands for; `cut=N` keeps its first bytes only.
    mutating func bytes(of expression: TokenExpression) throws(TranscriptError) -> [UInt8] {
        var expression = expression
        switch expression.words[0] {
        case "KDC-PROXY": return try kdcProxyMessage(expression)
        case "basic": return Array(expression.remainder.utf8)
        case "basic-latin1":
            let scalars = expression.remainder.unicodeScalars.map { UInt8(exactly: $0.value) }
            guard !scalars.contains(nil) else { throw expression.error("not all of the text is in ISO 8859-1") }
            return scalars.compactMap { $0 }
        default: break
        }
        let cut = try expression.takeNumber("cut")
        let token = try encode(&expression)
        try expression.finish()
        return cut.map { Array(token.prefix($0)) } ?? token
    }

    private mutating func encode(_ expression: inout TokenExpression) throws(TranscriptError) -> [UInt8] {
        switch expression.words.joined(separator: " ") {
        case "NEGOTIATE_MESSAGE":
            earlierMessages.negotiate = try negotiateMessage(&expression)
            return earlierMessages.negotiate
        case "CHALLENGE_MESSAGE":
            earlierMessages.challenge = try challengeMessage(&expression)
            return earlierMessages.challenge
        case "AUTHENTICATE_MESSAGE": return try authenticateMessage(&expression, isAnonymous: false)
        case "AUTHENTICATE_MESSAGE anonymous": return try authenticateMessage(&expression, isAnonymous: true)
        case "SPNEGO init": return try negTokenInit(&expression)
        case "SPNEGO resp": return try negTokenResp(&expression)
        case "AP-REQ": return try apReq(&expression)
        case "AP-REP": return try apRep(&expression)
        case "KRB-ERROR": return try krbError(&expression)
        default: return try plainBytes(expression)
        }
    }

    /// `bytes N` and `hex DIGITS`.
    private func plainBytes(_ expression: TokenExpression) throws(TranscriptError) -> [UInt8] {
        let words = expression.words
        if words.count == 2, words[0] == "bytes", let count = Int(words[1]), (0...100_000).contains(count) {
            var generator = SeededGenerator(from: "bytes \(position)")
            return generator.bytes(count)
        }
        if words.count == 2, words[0] == "hex", let bytes = decodeHex(words[1]) { return bytes }
        throw expression.error("no token '\(words.joined(separator: " "))'")
    }

    /// A JSON Web Token whose signature is made-up bytes; an `exp` with a sign counts from the start of the capture.
    ///
    /// - Source: RFC 7519 §3, §4.1.
    private func jsonWebToken(_ expression: TokenExpression) throws(TranscriptError) -> String {
        var algorithm = "RS256"
        var claims: [String] = []
        for part in expression.remainder.split(separator: " ") {
            guard let equals = part.firstIndex(of: "=") else { throw expression.error("jwt takes claim=value") }
            let name = part[..<equals]
            let value = part[part.index(after: equals)...]
            if name == "alg" {
                algorithm = String(value)
            } else if let number = Int(value) {
                let isRelative = value.hasPrefix("+") || value.hasPrefix("-")
                claims.append("\"\(name)\":\(isRelative ? Transcript.startSeconds + number : number)")
            } else {
                claims.append("\"\(name)\":\"\(value)\"")
            }
        }
        var generator = SeededGenerator(from: "jwt \(position) \(expression.remainder)")
        let parts = [
            Array(#"{"alg":"\#(algorithm)","typ":"JWT"}"#.utf8),
            Array("{\(claims.joined(separator: ","))}".utf8),
            generator.bytes(32),
        ]
        return parts.map(base64URL).joined(separator: ".")
    }
}
