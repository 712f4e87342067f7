public import AuthScanBytes

/// A message to or from a key distribution center, as a KDC proxy takes and gives it in the body of an HTTP message.
///
///     KDC-PROXY-MESSAGE ::= SEQUENCE { kerb-message [0] OCTET STRING, target-domain [1] KERB-REALM OPTIONAL,
///         dclocator-hint [2] INTEGER OPTIONAL }
///
/// The OCTET STRING holds the message as it would stand in a stream: behind its length in four bytes.
///
/// - Source: MS-KKDCP §2.2.2.
public struct KDCProxyMessage: Hashable, Sendable {
    /// The message.
    public let message: KDCMessage
    /// The realm whose key distribution center is meant; `nil` in answers.
    public let targetDomain: String?
    /// Flags for the proxy's search of a domain controller; `nil` where the field is missing.
    public let dclocatorHint: Int?

    /// Decodes the body of an HTTP message.
    ///
    /// - Throws: when the body is no such message, or the message in it cannot be decoded.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        var outer = try DERReader(bytes)
        let node = try outer.read(.sequence, as: "KDC-PROXY-MESSAGE")
        try outer.finish(as: "KDC-PROXY-MESSAGE")
        var reader = try node.reader(as: "KDC-PROXY-MESSAGE")
        let framed = try reader.readRequired(0, as: "kerb-message").octets(as: "kerb-message")
        targetDomain = try reader.readOptional(1, as: "target-domain").map { node throws(DecodeError) in
            fieldText(node.contents)
        }
        dclocatorHint = try reader.readOptionalInteger(2, as: "dclocator-hint")
        var cursor = ByteCursor(framed)
        let length = Int(try cursor.readBigEndian(UInt32.self, as: "kerb-message length"))
        message = try KDCMessage(decoding: try cursor.take(length, as: "kerb-message"))
        guard cursor.remaining == 0 else {
            throw DecodeError(.trailingBytes(count: cursor.remaining), "kerb-message", offset: 4 + length)
        }
    }
}
