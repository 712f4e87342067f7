extension DigestCredentials {
    /// The parameters whose form is laid down, and whether that is a quoted-string.
    ///
    /// - Source: RFC 7616 §3.4: algorithm, qop and nc MUST NOT be quoted, these others MUST be.
    private static let forms: [(name: ParameterName, isQuoted: Bool)] =
        ([.username, .realm, .nonce, .uri, .response, .cnonce, .opaque] as [ParameterName]).map { ($0, true) }
        + ([.algorithm, .qop, .nc] as [ParameterName]).map { ($0, false) }

    /// Whether a parameter is a quoted-string that must be none, or the other way round; of several with one name the first counts.
    public var isMisquoted: Bool {
        Self.forms.contains { form in
            parameters.isQuoted(form.name).map { $0 != form.isQuoted } ?? false
        }
    }

    /// The parameters whose value holds a quote, or a quoted-pair: hardly any credentials have some.
    public var parametersWithQuotes: [AuthParameter] {
        // What is kept as places has neither.
        guard parameters.ordinary == nil else { return [] }
        return parameters.filter { $0.escapedValue != nil || $0.value.utf8.contains(UInt8(ascii: "\"")) }
    }
}
