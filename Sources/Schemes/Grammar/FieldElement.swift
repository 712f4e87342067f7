/// One challenge or one set of credentials as the grammar sees it, before its scheme gives it a meaning.
///
/// No larger than what is handed over in registers: a larger value is copied at each step from grammar to credentials.
struct FieldElement {
    /// What follows the scheme of an ordinary field value.
    enum Content {
        case nothing
        /// A token68, as places in the field value.
        case token(Range<Int>)
        case parameters([ParameterPlace])
    }

    /// The field value that the element stands in.
    let octets: ArraySlice<UInt8>
    let scheme: AuthenticationScheme
    /// The kind of scheme that says which auth-params are secrets; `nil` in a challenge, which has none.
    let secretsOf: AuthenticationScheme.Kind?
    /// Where the element starts, in bytes from the start of the field value.
    let offset: Int
    /// The places of the auth-params of an ordinary field value.
    let places: [ParameterPlace]
    /// The auth-params of a field value that is not ordinary.
    var made: [AuthParameter] = []
    var problems: [FieldProblem] = []
    /// The token68, as indices into the field value; empty where there is none.
    private var tokenIndices: Range<Int>
    /// What is neither token68 nor auth-param, as indices into the field value; empty where there is nothing such.
    private var unparsedIndices = 0..<0

    init(
        _ octets: ArraySlice<UInt8>,
        scheme: AuthenticationScheme,
        offset: Int,
        content: Content = .nothing,
        secretsOf: AuthenticationScheme.Kind? = nil
    ) {
        self.octets = octets
        self.scheme = scheme
        self.secretsOf = secretsOf
        self.offset = offset
        switch content {
        case .nothing: (places, tokenIndices) = ([], 0..<0)
        case .token(let token):
            places = []
            tokenIndices = (octets.startIndex + token.lowerBound)..<(octets.startIndex + token.upperBound)
        case .parameters(let parameters): (places, tokenIndices) = (parameters, 0..<0)
        }
    }

    /// The token68, as indices into the field value.
    var token: Range<Int>? {
        get { tokenIndices.isEmpty ? nil : tokenIndices }
        set { tokenIndices = newValue ?? 0..<0 }
    }

    /// What is neither token68 nor auth-param, as indices into the field value.
    var unparsed: Range<Int>? {
        get { unparsedIndices.isEmpty ? nil : unparsedIndices }
        set { unparsedIndices = newValue ?? 0..<0 }
    }

    /// The auth-params in wire order.
    var parameters: AuthParameters {
        made.isEmpty ? AuthParameters(places, of: octets, secretsOf: secretsOf) : AuthParameters(made)
    }

    /// Whether it has nothing but what an ordinary field value has.
    var isOrdinary: Bool { made.isEmpty && problems.isEmpty && unparsedIndices.isEmpty }

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
