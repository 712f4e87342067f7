public import AuthScanBytes

/// A user asks for a ticket with a certificate, or anonymously.
///
///     PA-PK-AS-REQ ::= SEQUENCE { signedAuthPack [0] IMPLICIT OCTET STRING,
///         trustedCertifiers [1] SEQUENCE OF ExternalPrincipalIdentifier OPTIONAL, kdcPkId [2] IMPLICIT OCTET STRING OPTIONAL }
///     AuthPack ::= SEQUENCE { pkAuthenticator [0] PKAuthenticator, clientPublicValue [1] SubjectPublicKeyInfo OPTIONAL,
///         supportedCMSTypes [2] SEQUENCE OF AlgorithmIdentifier OPTIONAL, clientDHNonce [3] OCTET STRING OPTIONAL,
///         supportedKDFs [4] SEQUENCE OF KDFAlgorithmId OPTIONAL }
///
/// - Source: RFC 4556 §3.2.1; RFC 8636 §6 (supportedKDFs).
public struct PKASReq: Hashable, Sendable {
    /// The signature around the request.
    public let signedAuthPack: CMSSignedData
    /// When the request was made, and what it belongs to.
    public let pkAuthenticator: PKAuthenticator
    /// The algorithm of the client's key for Diffie-Hellman; `nil` where the KDC shall encrypt for the certificate's key.
    public let clientPublicValueAlgorithm: ObjectIdentifier?
    /// The signature and encryption algorithms that the client supports; empty where it does not say.
    public let supportedCMSTypes: [ObjectIdentifier]
    /// The client's part in a reused Diffie-Hellman key; `nil` where the field is missing.
    public let clientDHNonce: [UInt8]?
    /// The key derivation functions that the client supports; empty for none but RFC 4556's own.
    public let supportedKDFs: [ObjectIdentifier]
    /// The certification authorities that the client trusts; empty where it does not say.
    public let trustedCertifiers: [ExternalPrincipalIdentifier]
    /// Which of the KDC's certificates the client has, in DER form; `nil` where the field is missing.
    public let kdcPkId: [UInt8]?
}

/// What makes a request with a certificate fresh, and ties it to its message.
///
///     PKAuthenticator ::= SEQUENCE { cusec [0] INTEGER, ctime [1] KerberosTime, nonce [2] INTEGER,
///         paChecksum [3] OCTET STRING OPTIONAL, freshnessToken [4] OCTET STRING OPTIONAL }
///
/// - Source: RFC 4556 §3.2.1; RFC 8070 §4 (freshnessToken).
public struct PKAuthenticator: Hashable, Sendable {
    /// The microseconds of the client's time.
    public let cusec: Int
    /// The client's time.
    public let ctime: KerberosTime
    /// A number chosen by the client; the same as in the request's body.
    public let nonce: Int
    /// The SHA-1 hash of the request's body; `nil` where the field is missing.
    public let paChecksum: [UInt8]?
    /// What the KDC gave to prove that the key is at hand now; `nil` where the field is missing.
    public let freshnessToken: Secret<[UInt8]>?
}

extension PKASReq {
    init(decoding value: ArraySlice<UInt8>) throws(DecodeError) {
        var outer = try DERReader(value)
        var fields = try outer.read(.sequence, as: "PA-PK-AS-REQ").reader(as: "PA-PK-AS-REQ")
        guard let signed = try fields.readImplicit(0, as: "signedAuthPack") else {
            throw DecodeError(.invalidValue("is missing"), "signedAuthPack", offset: fields.offset)
        }
        trustedCertifiers = try fields.readList(
            1,
            as: "trustedCertifiers",
            isOptional: true,
            ExternalPrincipalIdentifier.init(decoding:)
        )
        kdcPkId = try fields.readImplicit(2, as: "kdcPkId").map { Array($0.contents) }
        let (signedData, eContent) = try CMSSignedData.decode(signed, as: "signedAuthPack")
        signedAuthPack = signedData
        var pack = try eContent.contentsReader(as: "AuthPack")
        var reader = try pack.read(.sequence, as: "AuthPack").reader(as: "AuthPack")
        pkAuthenticator = try PKAuthenticator(decoding: try reader.readRequired(0, as: "pkAuthenticator"))
        clientPublicValueAlgorithm = try reader.readOptional(1, as: "clientPublicValue").map {
            node throws(DecodeError) in
            var key = try node.reader(as: "clientPublicValue")
            return try key.readNode(as: "algorithm").algorithm(as: "algorithm")
        }
        supportedCMSTypes = try reader.readList(2, as: "supportedCMSTypes", isOptional: true) {
            node throws(DecodeError) in try node.algorithm(as: "supportedCMSTypes")
        }
        clientDHNonce = try reader.readOptionalOctets(3, as: "clientDHNonce")
        supportedKDFs = try reader.readList(4, as: "supportedKDFs", isOptional: true) {
            node throws(DecodeError) in try node.keyDerivation(as: "supportedKDFs")
        }
    }
}

extension PKAuthenticator {
    fileprivate init(decoding node: DERNode) throws(DecodeError) {
        var reader = try node.reader(as: "pkAuthenticator")
        cusec = try reader.readInteger(0, as: "cusec")
        ctime = try KerberosTime(decoding: try reader.readRequired(1, as: "ctime"), as: "ctime")
        nonce = try reader.readInteger(2, as: "nonce")
        paChecksum = try reader.readOptionalOctets(3, as: "paChecksum")
        freshnessToken = try reader.readOptionalOctets(4, as: "freshnessToken").map { Secret($0) }
    }
}

extension DERNode {
    /// A reader over the elements in an OCTET STRING's octets.
    func contentsReader(as field: String) throws(DecodeError) -> DERReader {
        try DERReader(contents, at: contentsOffset, depth: depth + 1, as: field)
    }

    /// The identifier in an AlgorithmIdentifier.
    ///
    /// - Source: RFC 5280 §4.1.1.2.
    fileprivate func algorithm(as field: String) throws(DecodeError) -> ObjectIdentifier {
        var reader = try reader(as: field)
        return try reader.readNode(as: field).objectIdentifier(as: field)
    }

    /// The identifier in a KDFAlgorithmId.
    ///
    /// - Source: RFC 8636 §6.
    func keyDerivation(as field: String) throws(DecodeError) -> ObjectIdentifier {
        var reader = try reader(as: field)
        return try reader.readRequired(0, as: "kdf-id").objectIdentifier(as: "kdf-id")
    }
}

extension DERReader {
    /// Reads the next element if it is an OCTET STRING under the implicit tag `[number]`; `nil`, with nothing read, for
    /// another tag.
    mutating func readImplicit(_ number: UInt8, as field: String) throws(DecodeError) -> DERNode? {
        let tag = DERTag.implicitContext(number)
        return peekTag() == tag ? try read(tag, as: field) : nil
    }

    mutating func readOptionalOctets(_ number: UInt8, as field: String) throws(DecodeError) -> [UInt8]? {
        guard let node = try readOptional(number, as: field) else { return nil }
        return Array(try node.octets(as: field))
    }
}
