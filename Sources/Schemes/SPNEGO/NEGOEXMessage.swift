import AuthScanBytes

/// One message of NEGOEX, which negotiates mechanisms that have no object identifier.
///
///     0  Signature "NEGOEXTS"   12 SequenceNum (4)       20 cbMessageLength (4)   40 by type: Random (32) of a NEGO,
///     8  MessageType (4)        16 cbHeaderLength (4)    24 ConversationId (16)      AuthScheme (16) of others
///
/// - Source: draft-zhu-negoex §6.3; MS-NEGOEX 2.2.6.
public struct NEGOEXMessage: Hashable, Sendable {
    /// The message's type: 0 to 7.
    public let messageType: UInt32
    /// Its place in the conversation, counted from 0.
    public let sequenceNumber: UInt32
    /// The conversation's GUID.
    public let conversationID: String
    /// The authentication schemes that a NEGO message offers, or the one that another message is about, as GUIDs.
    public let authSchemes: [String]
    /// The length of the message, in bytes.
    public let length: Int

    /// The specification's name of the type; `unknown (9)` for others.
    public var typeName: String {
        let names = [
            "INITIATOR_NEGO", "ACCEPTOR_NEGO", "INITIATOR_META_DATA", "ACCEPTOR_META_DATA", "CHALLENGE", "AP_REQUEST",
            "VERIFY", "ALERT",
        ]
        return Int(messageType) < names.count ? names[Int(messageType)] : "unknown (\(messageType))"
    }

    /// The name of an authentication scheme; `nil` for an unknown one.
    ///
    /// - Source: MS-NEGOEX 1.9; MS-PKU2U 1.9.
    public static func schemeName(_ guid: String) -> String? {
        switch guid {
        case "0d53335c-f9ea-4d0d-b2ec-4ae3786ec308": "NegoEx/PKU2U"
        case "235f69ad-73fb-4dbc-8203-0629e739339b": "PKU2U"
        default: nil
        }
    }

    /// The messages of a token; at most 32 are read, and reading ends at the first malformed one.
    static func list(decoding bytes: ArraySlice<UInt8>) -> [NEGOEXMessage] {
        var rest = bytes
        var messages: [NEGOEXMessage] = []
        // A message that cannot be read ends the list: nothing tells where another one would start.
        while messages.count < 32, let message = try? NEGOEXMessage(decoding: rest) {
            messages.append(message)
            rest = rest.dropFirst(message.length)
        }
        return messages
    }

    private init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        var cursor = ByteCursor(bytes)
        guard try cursor.take(8, as: "Signature").elementsEqual("NEGOEXTS".utf8) else {
            throw DecodeError(.invalidValue("not NEGOEXTS"), "Signature", offset: 0)
        }
        messageType = try cursor.readLittleEndian(UInt32.self, as: "MessageType")
        sequenceNumber = try cursor.readLittleEndian(UInt32.self, as: "SequenceNum")
        _ = try cursor.readLittleEndian(UInt32.self, as: "cbHeaderLength")
        length = Int(try cursor.readLittleEndian(UInt32.self, as: "cbMessageLength"))
        guard length >= 40, length <= bytes.count else {
            throw DecodeError(.truncated(needed: length, available: bytes.count), "cbMessageLength", offset: 20)
        }
        conversationID = Self.guid(try cursor.take(16, as: "ConversationId"))
        let message = bytes.prefix(length)
        authSchemes =
            messageType <= 1 ? try Self.offered(in: message) : [Self.guid(try cursor.take(16, as: "AuthScheme"))]
    }

    /// The schemes of a NEGO message: Random (32), ProtocolVersion (8), then the vector's offset (4) and count (2).
    private static func offered(in message: ArraySlice<UInt8>) throws(DecodeError) -> [String] {
        var cursor = ByteCursor(message)
        _ = try cursor.take(80, as: "Random")
        let offset = Int(try cursor.readLittleEndian(UInt32.self, as: "AuthSchemes"))
        let count = Int(try cursor.readLittleEndian(UInt16.self, as: "AuthSchemes"))
        guard count <= 64 else { throw DecodeError(.limitExceeded(limit: 64), "AuthSchemes", offset: 84) }
        var list = ByteCursor(message)
        _ = try list.take(offset, as: "AuthSchemes")
        var schemes: [String] = []
        for _ in 0..<count { schemes.append(guid(try list.take(16, as: "AuthSchemes"))) }
        return schemes
    }

    /// The usual text of a GUID, whose first three fields lie least significant byte first.
    ///
    /// - Source: MS-DTYP 2.3.4.
    private static func guid(_ bytes: ArraySlice<UInt8>) -> String {
        let octets = Array(bytes)
        let parts = [[3, 2, 1, 0], [5, 4], [7, 6], [8, 9], [10, 11, 12, 13, 14, 15]]
        return parts.map { Hex.encode($0.map { octets[$0] }) }.joined(separator: "-")
    }
}
