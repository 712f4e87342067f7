import AuthScanBytes

extension BasicCredentials {
    /// Decodes the element's token; `nil` where there is none or it is no base64.
    init?(decoding element: inout FieldElement) {
        guard let text = element.token68 else {
            if element.unparsed != nil || !element.parameters.isEmpty {
                let offset = element.offset + element.scheme.rawValue.utf8.count
                element.note(.invalidBase64, "what follows the scheme is no base64", at: offset)
            }
            return nil
        }
        let token = SchemeToken(text, offset: element.token68Offset)
        if let problem = token.problem { element.note(problem.kind, problem.message, at: problem.offset) }
        guard let bytes = token.bytes else { return nil }
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        // RFC 7617 §2: "The user-id and password MUST NOT contain any control characters".
        if let control = bytes.firstIndex(where: \.isControlOrTab) {
            let message = Self.controlMessage(at: control, of: bytes, colon: colon)
            element.note(.controlCharacter, message, at: element.token68Offset + control / 3 * 4)
        }
        if colon == nil {
            element.note(.missingColon, "no colon between user-id and password", at: element.token68Offset)
        }
        self.init(userPass: bytes, colon: colon)
    }

    private init(userPass: [UInt8], colon: Int?) {
        let name = userPass[..<(colon ?? userPass.count)]
        let isASCII = userPass.allSatisfy { $0 < 0x80 }
        let charset: Charset =
            isASCII ? .ascii : String(validating: userPass, as: UTF8.self) != nil ? .utf8 : .latin1
        self.charset = charset
        userIDBytes = Array(name)
        userID = Self.text(name, charset)
        let secret = colon.map { userPass[($0 + 1)...] }
        password = secret.map { Secret(Self.text($0, charset), byteCount: $0.count) }
        passwordBytes = secret.map { Secret(Array($0)) }
    }

    private static func text(_ bytes: ArraySlice<UInt8>, _ charset: Charset) -> String {
        charset == .latin1
            ? latin1Text(bytes)
            : String(decoding: bytes, as: UTF8.self)
    }

    private static func controlMessage(at index: Int, of bytes: [UInt8], colon: Int?) -> String {
        let place = colon.map { index < $0 } ?? true ? "user-id" : "password"
        let isLineEnd = bytes[index...].allSatisfy { $0 == 0x0A || $0 == 0x0D }
        return isLineEnd ? "the \(place) ends in a line break" : "the \(place) holds a control character"
    }
}

extension UInt8 {
    /// Whether the byte is CTL in the sense of RFC 5234.
    fileprivate var isControlOrTab: Bool { self < 0x20 || self == 0x7F }
}
