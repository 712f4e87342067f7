public import AuthScanBytes

/// One part of a challenge or of credentials, with what it means.
public struct SchemeField: Hashable, Sendable {
    /// What a part holds.
    public enum Value: Hashable, Sendable {
        /// Text as on the wire, or decoded.
        case text(String)
        /// A number.
        case number(Int)
        /// Bytes that may be shown.
        case bytes([UInt8])
        /// Text that proves or grants something by itself.
        case secret(Secret<String>)
        /// Several texts, in wire order.
        case list([String])
        /// A JSON object, such as a token's claims.
        case json([String: JSONValue])
        /// A moment in UTC, in seconds since 1970.
        case time(Int)
    }

    /// The part's name in its specification.
    public let name: String
    /// What it holds.
    public let value: Value
    /// What that means, in a few words; `nil` where the value says it.
    public let meaning: String?

    /// States a part.
    public init(_ name: String, _ value: Value, _ meaning: String? = nil) {
        self.name = name
        self.value = value
        self.meaning = meaning
    }
}

/// What a scheme that has no type of its own makes of its parameters: the parts in wire order, and what is malformed.
public struct SchemeDetails: Hashable, Sendable {
    /// The name under which reports show the parts: `scram`, `aws4`.
    public let name: String
    /// The parts.
    public private(set) var fields: [SchemeField] = []
    /// What does not follow the scheme, with offsets from the start of the field value.
    public private(set) var problems: [FieldProblem] = []

    init(_ name: String) { self.name = name }

    /// The first part with this name; `nil` where there is none.
    public subscript(name: String) -> SchemeField.Value? { fields.first { $0.name == name }?.value }

    mutating func add(_ name: String, _ value: SchemeField.Value?, _ meaning: String? = nil) {
        if let value { fields.append(SchemeField(name, value, meaning)) }
    }

    mutating func add(_ name: String, text: String?, _ meaning: String? = nil) {
        add(name, text.map { .text($0) }, meaning)
    }

    mutating func add(_ name: String, secret: String?, _ meaning: String? = nil) {
        add(name, secret.map { .secret(Secret($0)) }, meaning)
    }

    mutating func note(_ kind: FieldProblem.Kind, _ message: String, at offset: Int = 0) {
        guard problems.count < 32 else { return }
        problems.append(FieldProblem(kind: kind, message: message, offset: offset))
    }

    /// Notes which of the parameters are missing.
    mutating func require(_ names: [String], in parameters: AuthParameters) {
        for name in names where parameters[name] == nil { note(.missingParameter, "\(name) is missing") }
    }
}

/// The parameters of a challenge or of credentials, with which side wrote them.
struct SchemeParameters {
    let parameters: AuthParameters
    let token68: Token68?
    let isChallenge: Bool

    subscript(name: String) -> String? { parameters[name] }

    /// Where a parameter's name stands; 0 for one that is missing.
    func offset(of name: String) -> Int { parameters.first(named: ParameterName(name))?.offset ?? 0 }
}

extension Challenge {
    /// The parts of a challenge whose scheme has no type of its own; `nil` for a scheme that has one, or is unknown.
    ///
    /// Nothing is kept: each call decodes anew.
    public func details() -> SchemeDetails? {
        SchemeDetails(scheme, SchemeParameters(parameters: parameters, token68: token68, isChallenge: true))
    }
}

extension Credentials {
    /// The parts of credentials whose scheme has no type of its own; `nil` for a scheme that has one, or is unknown.
    ///
    /// Nothing is kept: each call decodes anew.
    public func details() -> SchemeDetails? {
        SchemeDetails(scheme, SchemeParameters(parameters: parameters, token68: token68, isChallenge: false))
    }
}

extension SchemeDetails {
    init?(_ scheme: AuthenticationScheme, _ parameters: SchemeParameters) {
        switch scheme.rawValue.lowercased() {
        case "scram-sha-1", "scram-sha-256": self = .scram(parameters)
        case "hoba": self = .hoba(parameters)
        case "mutual": self = .mutual(parameters)
        case "oauth": self = .oauth(parameters)
        case "aws4-hmac-sha256": self = .aws4(parameters)
        case "hawk": self = .hawk(parameters)
        case "vapid", "webpush": self = .vapid(parameters)
        case "privatetoken": self = .privateToken(parameters)
        case "concealed": self = .concealed(parameters)
        case "gnap": self = .gnap(parameters)
        case "dpop": self = .dpop(parameters)
        case "token", "jwt": self = .token(scheme, parameters)
        case "citrixagbasic": self = .citrix(parameters)
        default: return nil
        }
    }
}
