/// A name without its letter case, in eight bytes that compare at once: a field is asked for its parameters many times.
struct FoldedName: Hashable, Sendable {
    /// The letters in lower case, the last one lowest; of a longer name, a mixture of all of them.
    private let letters: UInt64

    /// Whether names that are equal here are equal: those of at most eight letters.
    let isExact: Bool

    init(_ name: some Collection<UInt8>) {
        isExact = name.count <= 8
        var letters: UInt64 = 0
        for byte in name { letters = letters << 8 ^ letters >> 56 ^ UInt64(byte.asciiLowercased) }
        self.letters = letters
    }
}

/// The name of an auth-param that is asked for.
struct ParameterName: Sendable {
    let text: String
    private let folded: FoldedName

    init(_ text: String) {
        self.text = text
        folded = FoldedName(text.utf8)
    }

    /// Whether a parameter has this name, in whatever letter case.
    func isName(of parameter: AuthParameter) -> Bool {
        parameter.key == folded && (folded.isExact || parameter.name.isASCIIEqual(to: text))
    }
}

/// Those that are asked for of every Digest challenge and credential.
extension ParameterName {
    static let algorithm = ParameterName("algorithm")
    static let charset = ParameterName("charset")
    static let cnonce = ParameterName("cnonce")
    static let domain = ParameterName("domain")
    static let nc = ParameterName("nc")
    static let nonce = ParameterName("nonce")
    static let opaque = ParameterName("opaque")
    static let qop = ParameterName("qop")
    static let realm = ParameterName("realm")
    static let response = ParameterName("response")
    static let stale = ParameterName("stale")
    static let uri = ParameterName("uri")
    static let userhash = ParameterName("userhash")
    static let username = ParameterName("username")
    static let usernameExtended = ParameterName("username*")
}
