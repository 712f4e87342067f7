/// A name without its letter case, in eight bytes that compare at once: a field is asked for its parameters many times.
struct FoldedName: Hashable, Sendable {
    /// The letters in lower case, the last one lowest; of a longer name, a mixture of all of them.
    private let letters: UInt64

    /// Whether names that are equal here are equal: those of at most eight letters.
    let isExact: Bool

    init(_ name: some Collection<UInt8>) {
        var mixture = Mixture()
        for byte in name { mixture.append(byte.asciiLowercased) }
        self.init(mixture, count: name.count)
    }

    /// The name whose letters, in lower case, were mixed one after the other.
    init(_ mixture: Mixture, count: Int) {
        letters = mixture.letters
        isExact = count <= 8
    }

    /// Letters as they come in, mixed as those of a name are.
    struct Mixture {
        private(set) var letters: UInt64 = 0

        @inline(__always)
        mutating func append(_ letter: UInt8) { letters = letters << 8 ^ letters >> 56 ^ UInt64(letter) }
    }
}

/// The name of an auth-param that is asked for.
struct ParameterName: Sendable {
    let text: String
    /// What the name is, where it is one of those that are told apart while a field is read.
    let known: KnownParameter?
    private let folded: FoldedName

    init(_ text: String) {
        self.text = text
        var mixture = FoldedName.Mixture()
        for letter in text.utf8 { mixture.append(letter.asciiLowercased) }
        folded = FoldedName(mixture, count: text.utf8.count)
        known = KnownParameter(mixture, count: text.utf8.count, first: text.utf8.first ?? 0)
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
