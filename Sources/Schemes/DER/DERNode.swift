import AuthScanBytes

/// One element of an ASN.1 encoding: identifier, length, contents.
///
/// - Source: ITU-T X.690 §8.1.
struct DERNode {
    /// The identifier octet: class, whether constructed, and the tag's number.
    let tag: DERTag
    /// The contents octets.
    let contents: ArraySlice<UInt8>
    /// Where the identifier octet lies, in bytes from the start of the token.
    let offset: Int
    /// Where the contents start, in bytes from the start of the token.
    let contentsOffset: Int
    /// How many elements this one lies in.
    let depth: Int

    /// A reader over the elements inside.
    func reader(as field: String) throws(DecodeError) -> DERReader {
        guard tag.isConstructed else { throw DecodeError(.invalidValue("is not constructed"), field, offset: offset) }
        return try DERReader(contents, at: contentsOffset, depth: depth + 1, as: field)
    }

    /// The value of an INTEGER or ENUMERATED, up to 64 bits.
    func integer(as field: String) throws(DecodeError) -> Int {
        guard tag == .integer || tag == .enumerated, let first = contents.first else {
            throw wrong("is no INTEGER", field)
        }
        guard contents.count <= 8 else { throw wrong("has more than 64 bits", field) }
        return contents.reduce(first & 0x80 != 0 ? -1 : 0) { $0 << 8 | Int($1) }
    }

    /// The octets of an OCTET STRING.
    func octets(as field: String) throws(DecodeError) -> ArraySlice<UInt8> {
        guard tag == .octetString else { throw wrong("is no OCTET STRING", field) }
        return contents
    }

    /// The first 32 bits of a BIT STRING, the first one as the most significant; missing ones are zero.
    func bits(as field: String) throws(DecodeError) -> UInt32 {
        guard tag == .bitString, let unused = contents.first, unused < 8 else { throw wrong("is no BIT STRING", field) }
        let octets = contents.dropFirst().prefix(4)
        return octets.enumerated().reduce(0) { $0 | UInt32($1.element) << (24 - 8 * UInt32($1.offset)) }
    }

    /// The text of a GeneralString or of another string type; octets that are not UTF-8 are read as ISO 8859-1.
    ///
    /// - Source: RFC 4120 §5.2.1 (KerberosString), and what implementations send instead.
    func text(as field: String) throws(DecodeError) -> String {
        guard [.generalString, .utf8String, .ia5String, .visibleString].contains(tag) else {
            throw wrong("is no character string", field)
        }
        return fieldText(contents)
    }

    /// The value of an OBJECT IDENTIFIER.
    func objectIdentifier(as field: String) throws(DecodeError) -> ObjectIdentifier {
        guard tag == .objectIdentifier else { throw wrong("is no OBJECT IDENTIFIER", field) }
        guard let identifier = ObjectIdentifier(contents: contents) else {
            throw wrong("is a malformed OBJECT IDENTIFIER", field)
        }
        return identifier
    }

    /// An error about this element.
    func wrong(_ reason: String, _ field: String) -> DecodeError {
        DecodeError(.invalidValue(reason), field, offset: offset)
    }
}

/// An identifier octet.
///
/// - Source: ITU-T X.690 §8.1.2, with tag numbers up to 30.
struct DERTag: RawRepresentable, Hashable {
    let rawValue: UInt8

    static let boolean = Self(rawValue: 0x01)
    static let integer = Self(rawValue: 0x02)
    static let bitString = Self(rawValue: 0x03)
    static let octetString = Self(rawValue: 0x04)
    static let objectIdentifier = Self(rawValue: 0x06)
    static let enumerated = Self(rawValue: 0x0A)
    static let utf8String = Self(rawValue: 0x0C)
    static let ia5String = Self(rawValue: 0x16)
    static let generalizedTime = Self(rawValue: 0x18)
    static let visibleString = Self(rawValue: 0x1A)
    static let generalString = Self(rawValue: 0x1B)
    static let bmpString = Self(rawValue: 0x1E)
    static let sequence = Self(rawValue: 0x30)
    static let set = Self(rawValue: 0x31)

    /// `[number]`, explicitly tagged.
    static func context(_ number: UInt8) -> Self { Self(rawValue: 0xA0 | number) }

    /// `[number]` in the place of a primitive type's own tag.
    static func implicitContext(_ number: UInt8) -> Self { Self(rawValue: 0x80 | number) }

    /// `[APPLICATION number]`, explicitly tagged.
    static func application(_ number: UInt8) -> Self { Self(rawValue: 0x60 | number) }

    var isConstructed: Bool { rawValue & 0x20 != 0 }
}
