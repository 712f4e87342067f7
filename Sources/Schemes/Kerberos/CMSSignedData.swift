import AuthScanBytes

/// What a CMS message signs, and how many certificates and signatures come with it; no signature is verified.
///
///     ContentInfo ::= SEQUENCE { contentType OBJECT IDENTIFIER, content [0] EXPLICIT SignedData }
///     SignedData  ::= SEQUENCE { version INTEGER, digestAlgorithms SET, encapContentInfo EncapsulatedContentInfo,
///         certificates [0] IMPLICIT SET OPTIONAL, crls [1] IMPLICIT SET OPTIONAL, signerInfos SET }
///     EncapsulatedContentInfo ::= SEQUENCE { eContentType OBJECT IDENTIFIER, eContent [0] EXPLICIT OCTET STRING OPTIONAL }
///
/// - Source: RFC 5652 §3, §5.1, §5.2.
public struct CMSSignedData: Hashable, Sendable {
    /// What the content is.
    public let eContentType: ObjectIdentifier
    /// How many certificates are enclosed.
    public let certificateCount: Int
    /// How many signatures there are; none from an anonymous user.
    ///
    /// - Source: RFC 8062 §4.1.
    public let signerCount: Int
}

extension CMSSignedData {
    /// id-signedData, which a ContentInfo says of its content.
    private static let identifier = ObjectIdentifier(rawValue: "1.2.840.113549.1.7.2")

    /// Reads the ContentInfo inside an element; the octets that are signed come back beside it.
    static func decode(
        _ node: DERNode,
        as field: String
    ) throws(DecodeError) -> (signedData: CMSSignedData, eContent: DERNode) {
        var outer = try node.contentsReader(as: field)
        var info = try outer.read(.sequence, as: "ContentInfo").reader(as: "ContentInfo")
        let type = try info.readNode(as: "contentType")
        guard try type.objectIdentifier(as: "contentType") == identifier else {
            throw type.wrong("is no signedData", "contentType")
        }
        var reader = try info.readRequired(0, as: "SignedData").reader(as: "SignedData")
        _ = try reader.read(.integer, as: "version")
        _ = try reader.read(.set, as: "digestAlgorithms")
        let (contentType, content) = try reader.readEncapsulatedContent()
        let certificates = try reader.countElements(in: .context(0), as: "certificates")
        _ = try reader.countElements(in: .context(1), as: "crls")
        guard let signers = try reader.countElements(in: .set, as: "signerInfos") else {
            throw DecodeError(.invalidValue("is missing"), "signerInfos", offset: reader.offset)
        }
        return (
            CMSSignedData(eContentType: contentType, certificateCount: certificates ?? 0, signerCount: signers), content
        )
    }
}

extension DERReader {
    fileprivate mutating func readEncapsulatedContent() throws(DecodeError) -> (ObjectIdentifier, DERNode) {
        var reader = try read(.sequence, as: "encapContentInfo").reader(as: "encapContentInfo")
        let type = try reader.read(.objectIdentifier, as: "eContentType").objectIdentifier(as: "eContentType")
        let content = try reader.readRequired(0, as: "eContent")
        _ = try content.octets(as: "eContent")
        return (type, content)
    }

    /// How many elements lie in the next one; `nil`, with nothing read, for another tag.
    fileprivate mutating func countElements(in tag: DERTag, as field: String) throws(DecodeError) -> Int? {
        guard peekTag() == tag else { return nil }
        var reader = try read(tag, as: field).reader(as: field)
        var count = 0
        while !reader.isAtEnd {
            _ = try reader.readNode(as: field)
            count += 1
        }
        return count
    }
}
