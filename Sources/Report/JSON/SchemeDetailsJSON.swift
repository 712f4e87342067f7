import AuthScanBytes
import AuthScanSchemes

/// Writes the parts of schemes that have no type of their own, and JSON Web Tokens.
struct SchemeDetailsJSON {
    let secrets: SecretPolicy

    /// A member named after the scheme, with a member for each part; nothing where there are none.
    func write(_ details: SchemeDetails?, to json: inout JSONWriter) {
        guard let details else { return }
        json.key(details.name)
        json.object { json in
            var seen: Set<String> = []
            // Names are the program's own but for a letter of an unknown SCRAM attribute; the first of a name counts.
            for field in details.fields where seen.insert(field.name).inserted {
                json.key(field.name)
                write(field.value, to: &json)
                if let meaning = field.meaning { json.member("\(field.name).meaning", meaning) }
            }
            json.member("problems", details.problems)
        }
    }

    func write(_ value: SchemeField.Value, to json: inout JSONWriter) {
        switch value {
        case .text(let text): json.value(secrets.uri(text))
        case .number(let number): json.value(number)
        case .bytes(let bytes): json.value(Hex.encode(bytes))
        case .secret(let secret): json.value(secrets.text(secret))
        case .list(let texts): json.array(texts) { $0.value(secrets.uri($1)) }
        case .json(let members): json.value(.object(members))
        case .time(let seconds): json.value(CalendarDate.rfc3339(secondsSinceEpoch: Int64(seconds)))
        }
    }

    /// A JSON Web Token, held against the moment in which it was used, in seconds since 1970.
    func write(_ token: JSONWebToken, at moment: Int?, to json: inout JSONWriter) {
        json.object { json in
            json.member("serialization", token.serialization.rawValue)
            json.key("header")
            json.value(.object(token.header))
            json.key("claims")
            json.value(.object(token.claims))
            for (name, claim) in [("expires", "exp"), ("notBefore", "nbf"), ("issued", "iat")] {
                let time = token.time(claim).map { CalendarDate.rfc3339(secondsSinceEpoch: Int64($0)) }
                json.member(name, time)
            }
            json.member("validity", moment.map { token.validity(at: $0).words })
            json.member("problem", token.problem?.description)
        }
    }
}

extension JSONWebToken.Validity {
    /// In a few words.
    fileprivate var words: String {
        switch self {
        case .unstated: "no time stated"
        case .valid: "valid when used"
        case .expired(let seconds): "expired \(seconds) s before it was used"
        case .notYetValid(let seconds): "valid only \(seconds) s after it was used"
        }
    }
}
