import AuthScanBytes

/// A certificate named by its subject, by its issuer and number, or by its key.
///
///     ExternalPrincipalIdentifier ::= SEQUENCE { subjectName [0] IMPLICIT OCTET STRING OPTIONAL,
///         issuerAndSerialNumber [1] IMPLICIT OCTET STRING OPTIONAL, subjectKeyIdentifier [2] IMPLICIT OCTET STRING OPTIONAL }
///     IssuerAndSerialNumber ::= SEQUENCE { issuer Name, serialNumber INTEGER }
///
/// - Source: RFC 4556 §3.2.1; RFC 5652 §10.2.4.
public struct ExternalPrincipalIdentifier: Hashable, Sendable {
    /// The subject, in the form of RFC 4514; `nil` where the field is missing.
    public let subjectName: String?
    /// The issuer, in the form of RFC 4514; `nil` where the field is missing.
    public let issuer: String?
    /// The issuer's number, most significant octet first; `nil` where the field is missing.
    public let serialNumber: [UInt8]?
    /// The key's identifier as in the certificate; `nil` where the field is missing.
    public let subjectKeyIdentifier: [UInt8]?
}

extension ExternalPrincipalIdentifier {
    init(decoding node: DERNode) throws(DecodeError) {
        var reader = try node.reader(as: "trustedCertifiers")
        subjectName = try reader.readImplicit(0, as: "subjectName").map { node throws(DecodeError) in
            var name = try node.contentsReader(as: "subjectName")
            return try name.readName(as: "subjectName")
        }
        var number = try reader.readImplicit(1, as: "issuerAndSerialNumber").map { node throws(DecodeError) in
            var outer = try node.contentsReader(as: "issuerAndSerialNumber")
            return try outer.read(.sequence, as: "issuerAndSerialNumber").reader(as: "issuerAndSerialNumber")
        }
        issuer = try number?.readName(as: "issuer")
        serialNumber = try number?.read(.integer, as: "serialNumber").contents.map { $0 }
        // X.690 §8.14: the octets of an OCTET STRING lie inside the implicit tag, here as an OCTET STRING of their own.
        subjectKeyIdentifier = try reader.readImplicit(2, as: "subjectKeyIdentifier").map {
            node throws(DecodeError) in
            var key = try node.contentsReader(as: "subjectKeyIdentifier")
            return Array(try key.readNode(as: "subjectKeyIdentifier").octets(as: "subjectKeyIdentifier"))
        }
    }
}

extension DERReader {
    /// How many parts a distinguished name may have.
    private static let partLimit = 32

    /// Reads a Name as text, the last part first.
    ///
    /// - Source: RFC 5280 §4.1.2.4; RFC 4514 §2.1: "starting with the last element of the sequence and moving backwards".
    fileprivate mutating func readName(as field: String) throws(DecodeError) -> String {
        var parts = try read(.sequence, as: field).reader(as: field)
        var texts: [String] = []
        while !parts.isAtEnd {
            guard texts.count < Self.partLimit else {
                throw DecodeError(.limitExceeded(limit: Self.partLimit), field, offset: parts.offset)
            }
            texts.append(try parts.read(.set, as: field).relativeName(as: field))
        }
        return texts.reversed().joined(separator: ",")
    }
}

extension DERNode {
    /// The short names of the attribute types that a name is written with.
    ///
    /// - Source: RFC 4514 §3.
    private static let attributes: [String: String] = [
        "2.5.4.3": "CN", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.9": "STREET", "2.5.4.10": "O",
        "2.5.4.11": "OU", "0.9.2342.19200300.100.1.1": "UID", "0.9.2342.19200300.100.1.25": "DC",
    ]

    /// A RelativeDistinguishedName as text; several attributes are joined with `+`.
    fileprivate func relativeName(as field: String) throws(DecodeError) -> String {
        var set = try reader(as: field)
        var texts: [String] = []
        while !set.isAtEnd {
            var attribute = try set.read(.sequence, as: field).reader(as: field)
            let type = try attribute.readNode(as: field).objectIdentifier(as: field).rawValue
            let value = try attribute.readNode(as: field)
            texts.append("\(Self.attributes[type] ?? type)=\(Self.escaped(value.directoryString))")
        }
        return texts.joined(separator: "+")
    }

    /// The text of a DirectoryString, whose BMPString has two octets for each character.
    ///
    /// - Source: RFC 5280 §4.1.2.4.
    private var directoryString: String {
        guard tag == .bmpString else { return fieldText(contents) }
        let octets = Array(contents)
        let units = stride(from: 0, to: octets.count - 1, by: 2).map {
            UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// - Source: RFC 4514 §2.4.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += #",+"\<>;"#.contains($1) ? "\\\($1)" : String($1) }
    }
}
