import AuthScanBytes

/// What challenges and credentials keep of their element: places in the field value, and the little that few have.
struct ElementContent: Sendable {
    /// What few elements have: it is made at once, because nothing else of the field tells it.
    private final class Rare: Sendable {
        let parameters: [AuthParameter]
        let unparsed: Secret<String>?
        let problems: [FieldProblem]

        init(_ element: borrowing FieldElement, unparsed: Secret<String>?) {
            parameters = element.made
            self.unparsed = unparsed
            problems = element.problems
        }
    }

    private let octets: ArraySlice<UInt8>
    private let places: [ParameterPlace]
    /// `nil` for nearly all elements.
    private let rare: Rare?
    /// Where the token68 starts, in bytes from the start of the field value, and its length; −1 where there is none.
    private let tokenStart: Int32
    private let tokenCount: Int32
    private let secretsOf: AuthenticationScheme.Kind?

    init(_ element: borrowing FieldElement, unparsed: Secret<String>? = nil) {
        octets = element.octets
        places = element.places
        tokenStart = element.token == nil ? -1 : Int32(clamping: element.token68Offset)
        tokenCount = Int32(clamping: element.token?.count ?? 0)
        secretsOf = element.secretsOf
        rare = element.isOrdinary ? nil : Rare(element, unparsed: unparsed)
    }

    /// The auth-params in wire order.
    var parameters: AuthParameters {
        if let rare, !rare.parameters.isEmpty { return AuthParameters(rare.parameters) }
        return AuthParameters(places, of: octets, secretsOf: secretsOf)
    }

    /// The value of the first auth-param with this name.
    func value(_ name: ParameterName) -> String? {
        places.isEmpty && rare == nil ? nil : parameters.value(name)
    }

    /// The token that stands instead of auth-params, if any.
    var token68: Token68? {
        guard tokenStart >= 0 else { return nil }
        let start = octets.startIndex + Int(tokenStart)
        return Token68(octets[start..<(start + Int(tokenCount))], offset: Int(tokenStart))
    }

    /// Whether there is a token68.
    var hasToken: Bool { tokenStart >= 0 }

    /// What is neither a token68 nor auth-params, as text.
    var unparsed: Secret<String>? { rare?.unparsed }

    /// What is malformed.
    var problems: [FieldProblem] { rare?.problems ?? [] }
}
