import AuthScanBytes

/// The framing of a mechanism's first token.
///
///     InitialContextToken ::= [APPLICATION 0] IMPLICIT SEQUENCE { thisMech OBJECT IDENTIFIER, innerContextToken ANY }
///
/// - Source: RFC 2743 §3.1.
struct GSSToken {
    static let tag = DERTag.application(0)

    /// The mechanism the inner token belongs to.
    let thisMech: MechanismType
    /// The mechanism's token.
    let innerContextToken: ArraySlice<UInt8>
    /// Where the inner token starts, in bytes from the start of the framing.
    let innerOffset: Int

    /// Decodes a framing; a cut inner token and bytes after the framing are noted.
    init(decoding bytes: ArraySlice<UInt8>, noting problems: inout [DecodeError]) throws(DecodeError) {
        var outer = try DERReader(bytes)
        let frame = try outer.readNode(as: "InitialContextToken", noting: &problems)
        guard frame.tag == Self.tag else { throw frame.wrong("is no InitialContextToken", "InitialContextToken") }
        var reader = try frame.reader(as: "InitialContextToken")
        let mechanism = try reader.read(.objectIdentifier, as: "thisMech")
        thisMech = MechanismType(rawValue: try mechanism.objectIdentifier(as: "thisMech"))
        innerContextToken = reader.rest
        innerOffset = reader.offset
        if !outer.isAtEnd {
            let count = outer.rest.count
            problems.append(DecodeError(.trailingBytes(count: count), "InitialContextToken", offset: outer.offset))
        }
    }
}
