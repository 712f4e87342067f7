import AuthScanBytes

extension BasicCredentials {
    /// Decodes the element's token; `nil` where there is none or it is no base64.
    init?(decoding element: inout FieldElement) {
        guard let text = element.token68 else {
            if element.unparsed != nil || element.hasParameters {
                let offset = element.offset + element.scheme.rawValue.utf8.count
                element.note(.invalidBase64, "what follows the scheme is no base64", at: offset)
            }
            return nil
        }
        let token = SchemeToken(text, offset: element.token68Offset)
        if let problem = token.problem { element.note(problem.kind, problem.message, at: problem.offset) }
        guard let bytes = token.bytes else { return nil }
        let outline = Outline(bytes.span)
        let colon = outline.colon
        // RFC 7617 §2: "The user-id and password MUST NOT contain any control characters".
        if let control = outline.control {
            let message = Self.controlMessage(at: control, of: bytes, colon: colon)
            element.note(.controlCharacter, message, at: element.token68Offset + control / 3 * 4)
        }
        if colon == nil {
            element.note(.missingColon, "no colon between user-id and password", at: element.token68Offset)
        }
        self.init(userPass: bytes, colon: colon, charset: outline.isASCII ? .ascii : Self.charset(of: bytes))
    }

    /// What the bytes of a user-pass tell.
    private struct Outline {
        /// Where the first colon is.
        private(set) var colon: Int?
        /// Where the first control character is.
        private(set) var control: Int?
        let isASCII: Bool

        init(_ userPass: Span<UInt8>) {
            var all: UInt8 = 0
            var controls: UInt8 = 0
            for index in userPass.indices {
                all |= userPass[index]
                controls |= userPass[index].isControlOrTab ? 1 : 0
            }
            isASCII = all < 0x80
            for index in userPass.indices where userPass[index] == UInt8(ascii: ":") {
                colon = index
                break
            }
            guard controls != 0 else { return }
            for index in userPass.indices where userPass[index].isControlOrTab {
                control = index
                break
            }
        }
    }

    /// The encoding of bytes that are not all ASCII.
    private static func charset(of userPass: [UInt8]) -> Charset {
        if String(validating: userPass, as: UTF8.self) != nil { return .utf8 }
        return userPass.contains { (0x80...0x9F).contains($0) } ? .windows1252 : .latin1
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
