extension DigestChallenge {
    init(_ element: inout FieldElement) {
        realm = element.value(.realm)
        domain = DigestChallenge.list(element.value(.domain), separators: " ")
        nonce = element.value(.nonce)
        opaque = element.value(.opaque)
        stale = element.value(.stale).map { $0.isASCIIEqual(to: "true") }
        algorithm = element.value(.algorithm)
        qop = DigestChallenge.list(element.value(.qop), separators: ", \t")
        charset = element.value(.charset)
        userhash = element.value(.userhash).map { $0.isASCIIEqual(to: "true") }
        parameters = element.parameters
        for name in [ParameterName.realm, .nonce] where element.parameter(name) == nil {
            element.note(.missingParameter, "\(name.text) is missing", at: element.offset)
        }
        if let charset, !charset.isASCIIEqual(to: "UTF-8") {
            element.note(.invalidValue, "charset is not UTF-8", at: element.parameter(.charset)?.offset ?? 0)
        }
        // RFC 7616 §3.3: 'a sender MUST NOT generate the quoted string syntax for "stale" and "algorithm"'.
        element.noteQuoted(.stale)
        element.noteQuoted(.algorithm)
    }

    private static func list(_ value: String?, separators: String) -> [String] {
        value?.split { separators.contains($0) }.map(String.init) ?? []
    }
}

extension FieldElement {
    /// Notes that a parameter is quoted and must not be.
    mutating func noteQuoted(_ name: ParameterName) {
        guard let parameter = parameter(name), parameter.isQuoted else { return }
        note(.quotedValue, "\(name.text) must not be quoted", at: parameter.offset)
    }
}
