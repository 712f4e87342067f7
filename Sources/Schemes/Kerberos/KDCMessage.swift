public import AuthScanBytes

/// A message between a client and its key distribution center, as far as it is readable without keys.
///
/// - Source: RFC 4120 §5.4, §5.9.
public indirect enum KDCMessage: Hashable, Sendable {
    /// AS-REQ or TGS-REQ.
    case request(KDCRequest)
    /// AS-REP or TGS-REP.
    case reply(KDCReply)
    /// KRB-ERROR.
    case error(KRBError)

    /// The specification's name of the message, such as `TGS-REQ`.
    public var messageName: String {
        switch self {
        case .request(let request): request.msgType == 10 ? "AS-REQ" : "TGS-REQ"
        case .reply(let reply): reply.msgType == 11 ? "AS-REP" : "TGS-REP"
        case .error: "KRB-ERROR"
        }
    }
}

/// A client asks for a ticket.
///
///     KDC-REQ ::= SEQUENCE { pvno [1], msg-type [2], padata [3] OPTIONAL, req-body [4] }
///     KDC-REQ-BODY ::= SEQUENCE { kdc-options [0], cname [1], realm [2], sname [3], from [4], till [5], rtime [6],
///         nonce [7], etype [8], addresses [9], enc-authorization-data [10], additional-tickets [11] }
///
/// - Source: RFC 4120 §5.4.1.
public struct KDCRequest: Hashable, Sendable {
    /// The message type: 10 for AS-REQ, 12 for TGS-REQ.
    public let msgType: Int
    /// The types of the pre-authentication data, in wire order.
    public let padataTypes: [Int]
    /// The options as on the wire, bit 0 of the BIT STRING first (0x8000_0000).
    public let kdcOptions: UInt32
    /// The user; `nil` in a TGS-REQ.
    public let cname: PrincipalName?
    /// The service's realm; in an AS-REQ, the user's as well.
    public let realm: String
    /// The service; `nil` where the field is missing.
    public let sname: PrincipalName?
    /// When the ticket shall end to be valid; `nil` where the field is missing.
    public let till: KerberosTime?
    /// The number the reply repeats.
    public let nonce: Int
    /// The encryption types the client can do, in order of preference.
    public let etypes: [EncryptionType]
}

/// A key distribution center gives a ticket.
///
///     KDC-REP ::= SEQUENCE { pvno [0], msg-type [1], padata [2] OPTIONAL, crealm [3], cname [4], ticket [5], enc-part [6] }
///
/// - Source: RFC 4120 §5.4.2.
public struct KDCReply: Hashable, Sendable {
    /// The message type: 11 for AS-REP, 13 for TGS-REP.
    public let msgType: Int
    /// The types of the pre-authentication data, in wire order.
    public let padataTypes: [Int]
    /// The user's realm.
    public let crealm: String
    /// The user.
    public let cname: PrincipalName
    /// The ticket.
    public let ticket: Ticket
    /// What only the client can read.
    public let encPart: EncryptedPart
}

extension KDCMessage {
    /// Decodes the contents of one datagram, or of one record of a stream without its four-byte length.
    ///
    /// - Throws: when the bytes are none of these messages, or a field that the message requires is missing or malformed.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        var outer = try DERReader(bytes)
        let node = try outer.readNode(as: "KDC message")
        try outer.finish(as: "KDC message")
        switch node.tag {
        case .application(10), .application(12): self = .request(try KDCRequest(decoding: node))
        case .application(11), .application(13): self = .reply(try KDCReply(decoding: node))
        case KRBError.tag: self = .error(try KRBError(decoding: node, thisMech: nil))
        default: throw node.wrong("is no message of a KDC", "KDC message")
        }
    }
}

extension KDCRequest {
    fileprivate init(decoding node: DERNode) throws(DecodeError) {
        var reader = try node.sequenceReader(as: "KDC-REQ")
        msgType = try reader.readHead(type: Int(node.tag.rawValue & 0x1F), first: 1).msgType
        padataTypes = try reader.readPadataTypes(3)
        let body = try reader.readRequired(4, as: "req-body")
        var fields = try body.reader(as: "req-body")
        kdcOptions = try fields.readRequired(0, as: "kdc-options").bits(as: "kdc-options")
        cname = try fields.readOptionalName(1, as: "cname")
        realm = try fields.readText(2, as: "realm")
        sname = try fields.readOptionalName(3, as: "sname")
        _ = try fields.readOptionalTime(4, as: "from")
        till = try fields.readOptionalTime(5, as: "till")
        _ = try fields.readOptionalTime(6, as: "rtime")
        nonce = try fields.readInteger(7, as: "nonce")
        var types = try fields.readRequired(8, as: "etype").reader(as: "etype")
        var list: [EncryptionType] = []
        while !types.isAtEnd, list.count < 64 {
            list.append(EncryptionType(rawValue: try types.readNode(as: "etype").integer(as: "etype")))
        }
        etypes = list
    }
}

extension KDCReply {
    fileprivate init(decoding node: DERNode) throws(DecodeError) {
        var reader = try node.sequenceReader(as: "KDC-REP")
        msgType = try reader.readHead(type: Int(node.tag.rawValue & 0x1F)).msgType
        padataTypes = try reader.readPadataTypes(2)
        crealm = try reader.readText(3, as: "crealm")
        cname = try PrincipalName(decoding: try reader.readRequired(4, as: "cname"), as: "cname")
        ticket = try reader.readTicket(5)
        encPart = try reader.readEncryptedPart(6, as: "enc-part")
        try reader.finish(as: "KDC-REP")
    }
}

extension DERReader {
    /// Reads the types of `SEQUENCE OF PA-DATA { padata-type [1] Int32, padata-value [2] OCTET STRING }`, if it is there.
    ///
    /// - Source: RFC 4120 §5.2.7.
    fileprivate mutating func readPadataTypes(_ number: UInt8) throws(DecodeError) -> [Int] {
        guard let node = try readOptional(number, as: "padata") else { return [] }
        var list = try node.reader(as: "padata")
        var types: [Int] = []
        while !list.isAtEnd, types.count < 64 {
            var entry = try list.read(.sequence, as: "padata").reader(as: "padata")
            types.append(try entry.readInteger(1, as: "padata-type"))
        }
        return types
    }
}
