public import AuthScanBytes

/// What only the client can read of a reply that is armored.
///
///     PA-FX-FAST-REPLY  ::= CHOICE { armored-data [0] KrbFastArmoredRep }
///     KrbFastArmoredRep ::= SEQUENCE { enc-fast-rep [0] EncryptedData }
///     KrbFastResponse   ::= SEQUENCE { padata [0] SEQUENCE OF PA-DATA, strengthen-key [1] EncryptionKey OPTIONAL,
///         finished [2] KrbFastFinished OPTIONAL, nonce [3] UInt32 }
///
/// - Source: RFC 6113 §5.4.3.
public struct FASTResponse: Hashable, Sendable {
    /// The key that strengthens the reply's; `nil` where the KDC sent none.
    public let strengthenKey: SessionKey?

    /// Decodes the plaintext of `enc-fast-rep`; bytes that pad it are passed over.
    ///
    /// - Throws: when a field that the response requires is missing or malformed.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        var outer = try DERReader(bytes)
        var reader = try outer.read(.sequence, as: "KrbFastResponse").reader(as: "KrbFastResponse")
        _ = try reader.readRequired(0, as: "padata")
        strengthenKey = try reader.readOptional(1, as: "strengthen-key").map { node throws(DecodeError) in
            try SessionKey(decoding: node)
        }
    }
}

extension KDCReply {
    /// The armored part of PA-FX-FAST; `nil` where the reply is not armored, or the part cannot be read.
    public var armoredPart: EncryptedPart? {
        for data in padata {
            if case .fast(let armored) = data.content { return armored.encPart }
        }
        return nil
    }
}
