/// One challenge or one set of credentials as the grammar sees it, before its scheme gives it a meaning.
struct FieldElement {
    var scheme: AuthenticationScheme
    /// Where the element starts, in bytes from the start of the field value.
    let offset: Int
    var parameters: [AuthParameter] = []
    var token68: ArraySlice<UInt8>?
    /// Where the token68 starts, in bytes from the start of the field value.
    var token68Offset = 0
    /// What is neither token68 nor auth-param, as indices into the field value.
    var unparsed: Range<Int>?
    var problems: [FieldProblem] = []

    init(scheme: AuthenticationScheme, offset: Int) {
        self.scheme = scheme
        self.offset = offset
    }

    /// Notes a fault, unless there are so many that one more says nothing.
    mutating func note(_ kind: FieldProblem.Kind, _ message: String, at offset: Int) {
        guard problems.count < 32 else { return }
        problems.append(FieldProblem(kind: kind, message: message, offset: offset))
    }

    /// The first auth-param with this name.
    func parameter(_ name: ParameterName) -> AuthParameter? { parameters.first(named: name) }

    /// The value of the first auth-param with this name.
    func value(_ name: ParameterName) -> String? { parameters.index(named: name).map { parameters[$0].value } }

    /// The value of the first auth-param with this name.
    func value(_ name: String) -> String? { value(ParameterName(name)) }
}
