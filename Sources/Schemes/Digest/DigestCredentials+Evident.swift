import AuthScanBytes

extension DigestCredentials {
    /// Whether the parameters are those of nearly all credentials, so that there is nothing to note; makes no text.
    ///
    /// - Source: RFC 7616 §3.4.
    var isEvidentlyValid: Bool {
        guard let (places, octets) = parameters.ordinary else { return false }
        let list = places.span
        var present = Presence()
        var digits = DigestAlgorithm.Hash.md5.digitCount
        var responseDigits = 0
        for index in list.indices {
            let place = list[index]
            guard let name = place.known else { continue }
            present.insert(name)
            let value = octets.span.extracting(place.value(from: 0))
            switch name {
            case .username, .realm, .nonce, .uri, .cnonce, .opaque: break
            case .response where Self.areHexDigits(value): responseDigits = value.count
            case .nc where value.count == 8 && Self.areHexDigits(value) && !place.isQuoted: break
            case .qop where Self.holds(value, "auth") && !place.isQuoted: break
            case .algorithm where Self.holds(value, "MD5") && !place.isQuoted: break
            case .algorithm where Self.holds(value, "SHA-256") && !place.isQuoted:
                digits = DigestAlgorithm.Hash.sha256.digitCount
            // What is rare, or means nothing in credentials, gets a closer look.
            default: return false
            }
        }
        return responseDigits == digits && present.isComplete
    }

    /// Which parameters are there.
    private struct Presence {
        private var bits: UInt32 = 0

        mutating func insert(_ name: KnownParameter) { bits |= 1 << UInt32(name.rawValue) }

        func contains(_ name: KnownParameter) -> Bool { bits >> UInt32(name.rawValue) & 1 == 1 }

        /// Whether all are there that must be, be it with a quality of protection or in the form of RFC 2069.
        var isComplete: Bool {
            contains(.username) && contains(.realm) && contains(.nonce) && contains(.uri)
                && contains(.qop) == contains(.nc) && (!contains(.qop) || contains(.cnonce))
        }
    }

    private static func areHexDigits(_ value: Span<UInt8>) -> Bool {
        var others: UInt8 = 0
        for index in value.indices {
            let octet = value[index]
            let isDigit: UInt8 = octet &- 0x30 < 10 ? 1 : 0
            let isLetter: UInt8 = (octet | 0x20) &- 0x61 < 6 ? 1 : 0
            others |= (isDigit | isLetter) ^ 1
        }
        return others == 0
    }

    private static func holds(_ value: Span<UInt8>, _ text: String) -> Bool {
        guard value.count == text.utf8.count else { return false }
        var index = 0
        for letter in text.utf8 {
            if value[index] != letter { return false }
            index += 1
        }
        return true
    }
}
