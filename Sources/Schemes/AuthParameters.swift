import AuthScanBytes

/// The auth-params of a challenge or of credentials in wire order, duplicates and malformed ones included.
///
/// Those of an ordinary field are kept as places in the field value, and made anew for each call that asks for one.
///
/// - Source: RFC 9110 §11.2.
public struct AuthParameters: RandomAccessCollection, Sendable {
    /// The places of those of an ordinary field in its value.
    private let places: [ParameterPlace]
    private let octets: ArraySlice<UInt8>
    /// The kind of the scheme of credentials; `nil` for a challenge, which has no secrets.
    private let secretsOf: AuthenticationScheme.Kind?
    /// What was made of a field that does not follow its grammar, or uses its rare parts; it has no places.
    private let made: [AuthParameter]

    /// Parameters at places of an ordinary field value.
    init(_ places: [ParameterPlace], of octets: ArraySlice<UInt8>, secretsOf kind: AuthenticationScheme.Kind?) {
        self.places = places
        self.octets = octets
        secretsOf = kind
        made = []
    }

    init(_ parameters: [AuthParameter]) {
        places = []
        octets = []
        secretsOf = nil
        made = parameters
    }

    /// The index of the first parameter: 0.
    public var startIndex: Int { 0 }

    /// How many parameters there are.
    public var endIndex: Int { made.isEmpty ? places.count : made.count }

    /// The parameter at a place in the list.
    public subscript(position: Int) -> AuthParameter {
        made.isEmpty ? AuthParameter(places[position], of: octets, secretsOf: secretsOf) : made[position]
    }

    /// The value of the first parameter with this name, in any letter case; `nil` where there is none.
    public subscript(name: String) -> String? { isEmpty ? nil : value(ParameterName(name)) }

    /// The value of the first parameter with this name; `nil` where there is none.
    func value(_ name: ParameterName) -> String? {
        guard let index = index(named: name) else { return nil }
        return made.isEmpty ? fieldText(octets[places[index].value(from: octets.startIndex)]) : made[index].value
    }

    /// The first parameter with this name; `nil` where there is none.
    func first(named name: ParameterName) -> AuthParameter? { index(named: name).map { self[$0] } }

    /// The index of the first parameter with this name; `nil` where there is none.
    func index(named name: ParameterName) -> Int? {
        guard made.isEmpty else { return made.index(named: name) }
        if let known = name.known { return Self.index(of: known, in: places.span) }
        return places.firstIndex { place in
            place.known == nil && Self.isSame(octets[place.name(from: octets.startIndex)], name.text)
        }
    }

    /// Whether the first parameter with this name came as a quoted-string; `nil` where there is none.
    func isQuoted(_ name: ParameterName) -> Bool? {
        index(named: name).map { made.isEmpty ? places[$0].isQuoted : made[$0].isQuoted }
    }

    /// Where the parameters lie in their field value; `nil` for those of a field that is not ordinary.
    var ordinary: (places: [ParameterPlace], octets: ArraySlice<UInt8>)? { made.isEmpty ? (places, octets) : nil }

    private static func index(of known: KnownParameter, in places: Span<ParameterPlace>) -> Int? {
        for index in places.indices where places[index].known == known { return index }
        return nil
    }

    private static func isSame(_ octets: ArraySlice<UInt8>, _ text: String) -> Bool {
        octets.count == text.utf8.count
            && zip(octets, text.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension AuthParameters: Hashable {
    /// Whether both hold the same parameters at the same offsets, however they are kept.
    public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

    /// Feeds the parameters.
    public func hash(into hasher: inout Hasher) {
        for parameter in self { hasher.combine(parameter) }
    }
}

extension AuthParameters: CustomStringConvertible, CustomReflectable {
    /// The parameters as in a field; secret values are redacted.
    public var description: String { map(\.description).joined(separator: ", ") }

    /// No children: reflection must not reach a secret value.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension AuthParameter {
    /// Makes the parameter that lies at a place of a field value.
    fileprivate init(
        _ place: ParameterPlace,
        of octets: ArraySlice<UInt8>,
        secretsOf kind: AuthenticationScheme.Kind?
    ) {
        let letters = octets[place.name(from: octets.startIndex)]
        let name = fieldText(letters)
        self.name = name
        value = fieldText(octets[place.value(from: octets.startIndex)])
        isQuoted = place.isQuoted
        escapedValue = nil
        offset = Int(place.nameStart)
        isSecret = kind.map { SecretParameters.isSecret(name, place.known, in: $0) } ?? false
        key = FoldedName(letters)
    }
}
