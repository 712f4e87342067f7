import AuthScanBytes

/// What a token holds that is neither SPNEGO nor NTLM nor one of the Kerberos messages of RFC 4121.
///
/// - Source: draft-ietf-kitten-iakerb §4; draft-swift-win2k-krb-user2user §3; MS-KKDCP 2.2.2.
public indirect enum UnknownTokenContent: Hashable, Sendable {
    /// Messages of NEGOEX.
    case negoex([NEGOEXMessage])
    /// A token of an established context.
    case perMessage(PerMessageToken)
    /// Kerberos through the acceptor: the realm it is meant for, and the message to or from the KDC.
    case iakerb(targetRealm: String, message: KDCMessage)
    /// User-to-user: the client asks for the server's own ticket; either part may be missing.
    case tgtRequest(serverName: PrincipalName?, realm: String?)
    /// User-to-user: the server's own ticket.
    case tgtReply(Ticket)
    /// A message to or from a KDC without any framing.
    case kdc(KDCMessage)
    /// A message to or from a KDC as it is carried over HTTPS.
    case kdcProxy(KDCProxyMessage)
}

extension UnknownToken {
    /// What the token holds; `nil` where it is of no known kind, or cannot be read as what it starts as.
    ///
    /// Nothing is kept: each call decodes anew.
    public func content() -> UnknownTokenContent? {
        encoded.withRevealed { bytes in
            if bytes.starts(with: "NEGOEXTS".utf8) { return .negoex(NEGOEXMessage.list(decoding: bytes[...])) }
            // What cannot be read stays bytes, with the label that its first ones give it: see `label`.
            if KDCMessage.startsAsKDCMessage(bytes[...]) {
                return (try? KDCMessage(decoding: bytes[...])).map { .kdc($0) }
            }
            if bytes.first == DERTag.sequence.rawValue {
                return (try? KDCProxyMessage(decoding: bytes[...])).map { .kdcProxy($0) }
            }
            if let token = PerMessageToken(decoding: bytes[...]) { return .perMessage(token) }
            return try? UnknownTokenContent(decodingFramed: bytes[...])
        }
    }
}

extension UnknownTokenContent {
    /// Decodes what stands in a GSS-API framing.
    fileprivate init?(decodingFramed bytes: ArraySlice<UInt8>) throws(DecodeError) {
        var problems: [DecodeError] = []
        let token = try GSSToken(decoding: bytes, noting: &problems)
        let inner = token.innerContextToken.dropFirst(2)
        switch Array(token.innerContextToken.prefix(2)) {
        case [0x05, 0x01]: try self.init(decodingIAKERB: inner, at: token.innerOffset + 2)
        case [0x04, 0x00]: try self.init(decodingTGTRequest: inner, at: token.innerOffset + 2)
        case [0x04, 0x01]: try self.init(decodingTGTReply: inner, at: token.innerOffset + 2)
        default:
            guard let token = PerMessageToken(decoding: token.innerContextToken) else { return nil }
            self = .perMessage(token)
        }
    }

    /// A header and a message.
    ///
    ///     IAKERB-HEADER ::= SEQUENCE { target-realm [1] UTF8String, cookie [2] OCTET STRING OPTIONAL }
    private init(decodingIAKERB bytes: ArraySlice<UInt8>, at base: Int) throws(DecodeError) {
        var reader = try DERReader(bytes, at: base)
        var header = try reader.read(.sequence, as: "IAKERB-HEADER").reader(as: "IAKERB-HEADER")
        let realm = try header.readText(1, as: "target-realm")
        self = .iakerb(targetRealm: realm, message: try KDCMessage(decoding: reader.rest))
    }

    /// The client asks for the server's ticket.
    ///
    ///     KERB-TGT-REQUEST ::= SEQUENCE { pvno [0], msg-type [1] 16, server-name [2] OPTIONAL, realm [3] OPTIONAL }
    private init(decodingTGTRequest bytes: ArraySlice<UInt8>, at base: Int) throws(DecodeError) {
        var outer = try DERReader(bytes, at: base)
        var reader = try outer.read(.sequence, as: "TGT-REQ").reader(as: "TGT-REQ")
        _ = try reader.readHead(type: 16)
        let name = try reader.readOptionalName(2, as: "server-name")
        self = .tgtRequest(serverName: name, realm: try reader.readOptionalText(3, as: "realm"))
    }

    /// The server hands its ticket out.
    ///
    ///     KERB-TGT-REPLY ::= SEQUENCE { pvno [0], msg-type [1] 17, ticket [2] }
    private init(decodingTGTReply bytes: ArraySlice<UInt8>, at base: Int) throws(DecodeError) {
        var outer = try DERReader(bytes, at: base)
        var reader = try outer.read(.sequence, as: "TGT-REP").reader(as: "TGT-REP")
        _ = try reader.readHead(type: 17)
        self = .tgtReply(try reader.readTicket(2))
    }
}
