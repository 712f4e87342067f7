extension DigestChallenge {
    /// Notes what is malformed.
    func check(_ element: inout FieldElement) {
        for name in [ParameterName.realm, .nonce] where parameters.index(named: name) == nil {
            element.note(.missingParameter, "\(name.text) is missing", at: element.offset)
        }
        if let parameter = parameters.first(named: .charset), !parameter.value.isASCIIEqual(to: "UTF-8") {
            element.note(.invalidValue, "charset is not UTF-8", at: parameter.offset)
        }
        // RFC 7616 §3.3: 'a sender MUST NOT generate the quoted string syntax for "stale" and "algorithm"'.
        element.noteQuoted(.stale, of: parameters)
        element.noteQuoted(.algorithm, of: parameters)
    }
}

extension FieldElement {
    /// Notes that a parameter is quoted and must not be.
    mutating func noteQuoted(_ name: ParameterName, of parameters: AuthParameters) {
        guard parameters.isQuoted(name) == true, let parameter = parameters.first(named: name) else { return }
        note(.quotedValue, "\(name.text) must not be quoted", at: parameter.offset)
    }
}
