/// One challenge or one set of credentials as the grammar sees it, before its scheme gives it a meaning.
struct FieldElement {
    /// The field value that the element stands in.
    let octets: ArraySlice<UInt8>
    var scheme: AuthenticationScheme
    /// Where the element starts, in bytes from the start of the field value.
    let offset: Int
    /// The places of the auth-params of an ordinary field value.
    var places: [ParameterPlace] = []
    /// The auth-params of a field value that is not ordinary.
    var made: [AuthParameter] = []
    /// The kind of scheme that says which auth-params are secrets; `nil` in a challenge, which has none.
    var secretsOf: AuthenticationScheme.Kind?
    /// The token68, as indices into the field value.
    var token: Range<Int>?
    /// What is neither token68 nor auth-param, as indices into the field value.
    var unparsed: Range<Int>?
    var problems: [FieldProblem] = []

    init(_ octets: ArraySlice<UInt8>, scheme: AuthenticationScheme, offset: Int) {
        self.octets = octets
        self.scheme = scheme
        self.offset = offset
    }

    /// The auth-params in wire order.
    var parameters: AuthParameters {
        made.isEmpty ? AuthParameters(places, of: octets, secretsOf: secretsOf) : AuthParameters(made)
    }

    var hasParameters: Bool { !places.isEmpty || !made.isEmpty }

    var token68: ArraySlice<UInt8>? { token.map { octets[$0] } }

    /// Where the token68 starts, in bytes from the start of the field value; 0 where there is none.
    var token68Offset: Int { token.map { $0.lowerBound - octets.startIndex } ?? 0 }

    /// Notes a fault, unless there are so many that one more says nothing.
    mutating func note(_ kind: FieldProblem.Kind, _ message: String, at offset: Int) {
        guard problems.count < 32 else { return }
        problems.append(FieldProblem(kind: kind, message: message, offset: offset))
    }
}
