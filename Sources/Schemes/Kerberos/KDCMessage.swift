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

    /// The client's message; `nil` for another.
    public var request: KDCRequest? { if case .request(let message) = self { message } else { nil } }
    /// The KDC's answer with a ticket; `nil` for another message.
    public var reply: KDCReply? { if case .reply(let message) = self { message } else { nil } }
    /// The KDC's refusal; `nil` for another message.
    public var error: KRBError? { if case .error(let message) = self { message } else { nil } }
}

/// A client asks for a ticket.
///
///     KDC-REQ ::= SEQUENCE { pvno [1], msg-type [2], padata [3] OPTIONAL, req-body [4] }
///     KDC-REQ-BODY ::= SEQUENCE { kdc-options [0], cname [1], realm [2], sname [3], from [4], till [5], rtime [6],
///         nonce [7], etype [8], addresses [9], enc-authorization-data [10], additional-tickets [11] }
///
/// - Source: RFC 4120 §5.4.1.
public struct KDCRequest: Hashable, Sendable {
    /// The protocol version: 5.
    public let pvno: Int
    /// The message type: 10 for AS-REQ, 12 for TGS-REQ.
    public let msgType: Int
    /// The pre-authentication data, in wire order.
    public let padata: [PreauthenticationData]
    /// The options as on the wire, bit 0 of the BIT STRING first (0x8000_0000).
    public let kdcOptions: UInt32
    /// The user; `nil` in a TGS-REQ.
    public let cname: PrincipalName?
    /// The service's realm; in an AS-REQ, the user's as well.
    public let realm: String
    /// The service; `nil` where the field is missing.
    public let sname: PrincipalName?
    /// When the ticket shall begin to be valid; `nil` where the field is missing.
    public let from: KerberosTime?
    /// When the ticket shall end to be valid; `nil` where the field is missing.
    public let till: KerberosTime?
    /// How long the ticket shall be renewable; `nil` where the field is missing.
    public let rtime: KerberosTime?
    /// The number the reply repeats.
    public let nonce: Int
    /// The encryption types the client can do, in order of preference.
    public let etypes: [EncryptionType]
    /// The addresses from which the ticket shall be valid; empty for all.
    public let addresses: [HostAddress]
    /// Authorization data for the ticket; `nil` where the field is missing.
    public let encAuthorizationData: EncryptedPart?
    /// Further tickets, for user-to-user authentication and constrained delegation.
    public let additionalTickets: [Ticket]

    /// The types of the pre-authentication data, in wire order.
    public var padataTypes: [Int] { padata.map(\.type.rawValue) }

    /// The names of the options that are set, in bit order.
    ///
    /// - Source: RFC 4120 §5.4.1; RFC 6806 §3 (canonicalize); MS-SFU 2.2.3 (cname-in-addl-tkt); RFC 8062 §3.
    public var kdcOptionNames: [String] {
        (0..<32).filter { kdcOptions & (0x8000_0000 >> UInt32($0)) != 0 }.map { Self.options[$0] ?? "bit \($0)" }
    }

    private static let options: [Int: String] = [
        0: "reserved", 1: "forwardable", 2: "forwarded", 3: "proxiable", 4: "proxy", 5: "allow-postdate",
        6: "postdated", 8: "renewable", 11: "opt-hardware-auth", 14: "cname-in-addl-tkt", 15: "canonicalize",
        16: "request-anonymous", 26: "disable-transited-check", 27: "renewable-ok", 28: "enc-tkt-in-skey",
        30: "renew", 31: "validate",
    ]
}

/// A key distribution center gives a ticket.
///
///     KDC-REP ::= SEQUENCE { pvno [0], msg-type [1], padata [2] OPTIONAL, crealm [3], cname [4], ticket [5], enc-part [6] }
///
/// - Source: RFC 4120 §5.4.2.
public struct KDCReply: Hashable, Sendable {
    /// The protocol version: 5.
    public let pvno: Int
    /// The message type: 11 for AS-REP, 13 for TGS-REP.
    public let msgType: Int
    /// The pre-authentication data, in wire order.
    public let padata: [PreauthenticationData]
    /// The user's realm.
    public let crealm: String
    /// The user.
    public let cname: PrincipalName
    /// The ticket.
    public let ticket: Ticket
    /// What only the client can read.
    public let encPart: EncryptedPart

    /// The types of the pre-authentication data, in wire order.
    public var padataTypes: [Int] { padata.map(\.type.rawValue) }
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

    /// Whether bytes start as one of these messages does.
    static func startsAsKDCMessage(_ bytes: ArraySlice<UInt8>) -> Bool {
        [0x6A, 0x6B, 0x6C, 0x6D, 0x7E].contains(bytes.first)
    }
}

extension KDCRequest {
    fileprivate init(decoding node: DERNode) throws(DecodeError) {
        var reader = try node.sequenceReader(as: "KDC-REQ")
        (pvno, msgType) = try reader.readHead(type: Int(node.tag.rawValue & 0x1F), first: 1)
        padata = try reader.readPadata(3)
        var fields = try reader.readRequired(4, as: "req-body").reader(as: "req-body")
        kdcOptions = try fields.readRequired(0, as: "kdc-options").bits(as: "kdc-options")
        cname = try fields.readOptionalName(1, as: "cname")
        realm = try fields.readText(2, as: "realm")
        sname = try fields.readOptionalName(3, as: "sname")
        from = try fields.readOptionalTime(4, as: "from")
        till = try fields.readOptionalTime(5, as: "till")
        rtime = try fields.readOptionalTime(6, as: "rtime")
        nonce = try fields.readInteger(7, as: "nonce")
        etypes = try fields.readList(8, as: "etype") { node throws(DecodeError) in
            EncryptionType(rawValue: try node.integer(as: "etype"))
        }
        addresses = try fields.readList(9, as: "addresses", isOptional: true, HostAddress.init(decoding:))
        encAuthorizationData = try fields.readOptional(10, as: "enc-authorization-data").map {
            node throws(DecodeError) in try EncryptedPart(decoding: node, as: "enc-authorization-data")
        }
        additionalTickets = try fields.readList(11, as: "additional-tickets", isOptional: true, Ticket.init(decoding:))
    }
}

extension KDCReply {
    fileprivate init(decoding node: DERNode) throws(DecodeError) {
        var reader = try node.sequenceReader(as: "KDC-REP")
        (pvno, msgType) = try reader.readHead(type: Int(node.tag.rawValue & 0x1F))
        padata = try reader.readPadata(2)
        crealm = try reader.readText(3, as: "crealm")
        cname = try PrincipalName(decoding: try reader.readRequired(4, as: "cname"), as: "cname")
        ticket = try reader.readTicket(5)
        encPart = try reader.readEncryptedPart(6, as: "enc-part")
        try reader.finish(as: "KDC-REP")
    }
}

extension DERReader {
    /// Reads the pre-authentication data, if they are there.
    ///
    /// - Source: RFC 4120 §5.2.7.
    fileprivate mutating func readPadata(_ number: UInt8) throws(DecodeError) -> [PreauthenticationData] {
        guard let node = try readOptional(number, as: "padata") else { return [] }
        return try PreauthenticationData.list(decoding: node)
    }

    /// Reads a SEQUENCE OF; no more than 64 elements are kept.
    mutating func readList<Element>(
        _ number: UInt8,
        as field: String,
        isOptional: Bool = false,
        _ decode: (DERNode) throws(DecodeError) -> Element
    ) throws(DecodeError) -> [Element] {
        let found = isOptional ? try readOptional(number, as: field) : try readRequired(number, as: field)
        guard let node = found else { return [] }
        var reader = try node.reader(as: field)
        var list: [Element] = []
        while !reader.isAtEnd, list.count < 64 { list.append(try decode(try reader.readNode(as: field))) }
        return list
    }
}
