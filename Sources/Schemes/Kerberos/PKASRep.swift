public import AuthScanBytes

/// The KDC's answer to a request with a certificate.
///
///     PA-PK-AS-REP ::= CHOICE { dhInfo [0] DHRepInfo, encKeyPack [1] IMPLICIT OCTET STRING }
///
/// - Source: RFC 4556 §3.2.3.
public enum PKASRep: Hashable, Sendable {
    /// The reply's key follows from Diffie-Hellman.
    case dhInfo(DHRepInfo)
    /// The reply's key, encrypted for the certificate's key.
    case encKeyPack(Secret<[UInt8]>)
}

/// The KDC's half of a Diffie-Hellman agreement.
///
///     DHRepInfo ::= SEQUENCE { dhSignedData [0] IMPLICIT OCTET STRING, serverDHNonce [1] OCTET STRING OPTIONAL,
///         kdf [2] KDFAlgorithmId OPTIONAL }
///     KDCDHKeyInfo ::= SEQUENCE { subjectPublicKey [0] BIT STRING, nonce [1] INTEGER, dhKeyExpiration [2] KerberosTime OPTIONAL }
///
/// - Source: RFC 4556 §3.2.3.1; RFC 8636 §6 (kdf).
public struct DHRepInfo: Hashable, Sendable {
    /// The KDC's signature around its key.
    public let dhSignedData: CMSSignedData
    /// The KDC's public key in DER form; a reused key's part in what clients agree on.
    public let subjectPublicKey: [UInt8]
    /// The request's nonce, or zero for a reused key.
    public let nonce: Int
    /// When a reused key ends; `nil` where the field is missing.
    public let dhKeyExpiration: KerberosTime?
    /// The KDC's part in a reused key; `nil` where the field is missing.
    public let serverDHNonce: [UInt8]?
    /// The key derivation function that the KDC chose; `nil` for RFC 4556's own.
    public let kdf: ObjectIdentifier?
}

extension PKASRep {
    init(decoding value: ArraySlice<UInt8>) throws(DecodeError) {
        var reader = try DERReader(value)
        if let pack = try reader.readImplicit(1, as: "encKeyPack") {
            self = .encKeyPack(Secret(Array(pack.contents)))
        } else {
            self = .dhInfo(try DHRepInfo(decoding: try reader.readRequired(0, as: "dhInfo")))
        }
    }
}

extension DHRepInfo {
    fileprivate init(decoding node: DERNode) throws(DecodeError) {
        var fields = try node.reader(as: "dhInfo")
        guard let signed = try fields.readImplicit(0, as: "dhSignedData") else {
            throw DecodeError(.invalidValue("is missing"), "dhSignedData", offset: fields.offset)
        }
        serverDHNonce = try fields.readOptionalOctets(1, as: "serverDHNonce")
        kdf = try fields.readOptional(2, as: "kdf").map { node throws(DecodeError) in
            try node.keyDerivation(as: "kdf")
        }
        let (signedData, eContent) = try CMSSignedData.decode(signed, as: "dhSignedData")
        dhSignedData = signedData
        var info = try eContent.contentsReader(as: "KDCDHKeyInfo")
        var reader = try info.read(.sequence, as: "KDCDHKeyInfo").reader(as: "KDCDHKeyInfo")
        let key = try reader.readRequired(0, as: "subjectPublicKey")
        guard key.tag == .bitString else { throw key.wrong("is no BIT STRING", "subjectPublicKey") }
        // The first octet counts the unused bits, of which a key in DER form has none.
        subjectPublicKey = Array(key.contents.dropFirst())
        nonce = try reader.readInteger(1, as: "nonce")
        dhKeyExpiration = try reader.readOptionalTime(2, as: "dhKeyExpiration")
    }
}
