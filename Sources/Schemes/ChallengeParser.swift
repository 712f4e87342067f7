import AuthScanBytes

/// Reads the fields of HTTP authentication.
///
/// - Source: RFC 9110 §11.
public struct ChallengeParser {
    /// The challenges of one `WWW-Authenticate` or `Proxy-Authenticate` field value, in wire order.
    ///
    /// A malformed challenge is among them, with its problems; a value without any challenge gives none. Linear in the
    /// value's length.
    ///
    /// - Source: RFC 9110 §11.6.1, §11.7.1.
    public static func parseChallenges(
        _ fieldValue: ArraySlice<UInt8>,
        target: Challenge.Target = .origin
    ) -> [Challenge] {
        if let element = OrdinaryField.parse(fieldValue, as: .challenges) {
            return [Challenge(element, target: target)]
        }
        var parser = FieldParser(fieldValue, as: .challenges)
        return parser.parse().map { Challenge($0, target: target) }
    }

    /// The credentials of one `Authorization` or `Proxy-Authorization` field value.
    ///
    /// Malformed credentials are returned with their problems. Linear in the value's length.
    ///
    /// - Source: RFC 9110 §11.6.2, §11.7.2.
    public static func parseCredentials(_ fieldValue: ArraySlice<UInt8>) -> Credentials {
        if let element = OrdinaryField.parse(fieldValue, as: .credentials) ?? bareToken(fieldValue) {
            return Credentials(element)
        }
        var parser = FieldParser(fieldValue, as: .credentials)
        let elements = parser.parse()
        guard var element = elements.first else {
            var empty = FieldElement(fieldValue, scheme: AuthenticationScheme(rawValue: ""), offset: 0)
            empty.note(.emptyField, "the field value is empty", at: 0)
            return Credentials(empty)
        }
        for other in elements.dropFirst() {
            element.note(.severalCredentials, "what looks like other credentials follows", at: other.offset)
        }
        return Credentials(element)
    }

    /// The auth-params of one `Authentication-Info` or `Proxy-Authentication-Info` field value.
    ///
    /// - Source: RFC 9110 §11.6.3, §11.7.3.
    public static func parseAuthenticationInfo(_ fieldValue: ArraySlice<UInt8>) -> AuthenticationInfo {
        var parser = FieldParser(fieldValue, as: .parameters)
        let element = parser.parse().first
        return AuthenticationInfo(parameters: element?.made ?? [], problems: element?.problems ?? [])
    }

    /// A token that no auth-scheme precedes: one word that is not the name of a known scheme.
    private static func bareToken(_ fieldValue: ArraySlice<UInt8>) -> FieldElement? {
        var scanner = FieldScanner(fieldValue)
        scanner.skipBlanks()
        let stop = scanner.end(from: scanner.index) { !$0.isBlank && $0 != UInt8(ascii: ",") }
        let word = fieldValue[scanner.index..<stop]
        guard !word.isEmpty, scanner.end(from: stop, while: \.isBlank) == fieldValue.endIndex, !isSchemeName(word)
        else {
            return nil
        }
        if let name = scanner.peekToken(), let value = scanner.valueStart(afterName: name.upperBound) {
            // `name=value` without a scheme is an auth-param; `abc=` and `abc==` are base64.
            guard value >= stop || fieldValue[value] == UInt8(ascii: "=") else { return nil }
        }
        var element = FieldElement(fieldValue, scheme: AuthenticationScheme(rawValue: ""), offset: scanner.offset)
        element.note(.missingScheme, "a token without an auth-scheme", at: scanner.offset)
        if let token = scanner.peekToken68(), token.upperBound == stop {
            element.token = word.indices
        } else {
            element.unparsed = word.indices
        }
        return element
    }

    /// Whether a word standing alone is the name of a scheme rather than a token.
    ///
    /// Only a name that is known counts: an application's own key looks just like the name of a scheme that nobody knows, and
    /// the name of a scheme is printed.
    private static func isSchemeName(_ word: ArraySlice<UInt8>) -> Bool {
        word.allSatisfy(\.isTokenCharacter) && AuthenticationScheme(word).isKnown
    }
}
