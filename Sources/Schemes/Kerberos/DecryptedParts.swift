public import AuthScanBytes

/// A key that a KDC made for one session.
///
///     EncryptionKey ::= SEQUENCE { keytype [0] Int32, keyvalue [1] OCTET STRING }
///
/// - Source: RFC 4120 §5.2.9.
public struct SessionKey: Hashable, Sendable {
    /// The encryption type that the key is for.
    public let etype: EncryptionType
    /// The key.
    public let value: Secret<[UInt8]>
}

/// What only the service can read of a ticket.
///
///     EncTicketPart ::= [APPLICATION 3] SEQUENCE { flags [0], key [1], crealm [2], cname [3], transited [4], authtime [5],
///         starttime [6] OPTIONAL, endtime [7], renew-till [8] OPTIONAL, caddr [9] OPTIONAL, authorization-data [10] OPTIONAL }
///
/// - Source: RFC 4120 §5.3.
public struct EncTicketPart: Hashable, Sendable {
    /// The flags as on the wire, bit 0 of the BIT STRING first (0x8000_0000).
    public let flags: UInt32
    /// The key of the session between client and service.
    public let key: SessionKey
    /// The client's realm.
    public let crealm: String
    /// The client.
    public let cname: PrincipalName
    /// When the client proved its password.
    public let authtime: KerberosTime
    /// When the ticket begins to be valid; `nil` for `authtime`.
    public let starttime: KerberosTime?
    /// When the ticket ends to be valid.
    public let endtime: KerberosTime
    /// Until when the ticket may be renewed; `nil` where it may not.
    public let renewTill: KerberosTime?

    /// Decodes the plaintext; bytes that pad it are passed over.
    ///
    /// - Throws: when a field that the part requires is missing or malformed.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        var outer = try DERReader(bytes)
        let node = try outer.read(.application(3), as: "EncTicketPart")
        var reader = try node.sequenceReader(as: "EncTicketPart")
        flags = try reader.readRequired(0, as: "flags").bits(as: "flags")
        key = try SessionKey(decoding: try reader.readRequired(1, as: "key"))
        crealm = try reader.readText(2, as: "crealm")
        cname = try PrincipalName(decoding: try reader.readRequired(3, as: "cname"), as: "cname")
        _ = try reader.readRequired(4, as: "transited")
        authtime = try KerberosTime(decoding: try reader.readRequired(5, as: "authtime"), as: "authtime")
        starttime = try reader.readOptionalTime(6, as: "starttime")
        endtime = try KerberosTime(decoding: try reader.readRequired(7, as: "endtime"), as: "endtime")
        renewTill = try reader.readOptionalTime(8, as: "renew-till")
    }

    /// The names of the flags that are set, in bit order.
    ///
    /// - Source: RFC 4120 §5.3; RFC 6806 §11 (enc-pa-rep); RFC 8062 §3 (anonymous).
    public var flagNames: [String] {
        let names = [
            "reserved", "forwardable", "forwarded", "proxiable", "proxy", "may-postdate", "postdated", "invalid",
            "renewable", "initial", "pre-authent", "hw-authent", "transited-policy-checked", "ok-as-delegate",
            "bit 14", "enc-pa-rep", "anonymous",
        ]
        return names.enumerated().filter { flags & (0x8000_0000 >> UInt32($0.offset)) != 0 }.map(\.element)
    }
}

/// The client's proof inside an AP-REQ.
///
///     Authenticator ::= [APPLICATION 2] SEQUENCE { authenticator-vno [0], crealm [1], cname [2], cksum [3] OPTIONAL,
///         cusec [4], ctime [5], subkey [6] OPTIONAL, seq-number [7] OPTIONAL, authorization-data [8] OPTIONAL }
///
/// - Source: RFC 4120 §5.5.1; RFC 4121 §4.1.1.
public struct Authenticator: Hashable, Sendable {
    /// The client's realm.
    public let crealm: String
    /// The client.
    public let cname: PrincipalName
    /// The checksum's type: 0x8003 for GSS-API; `nil` where there is none.
    public let checksumType: Int?
    /// MD5 over the channel bindings, 16 zero bytes for none; `nil` without GSS-API's checksum.
    public let channelBindings: [UInt8]?
    /// GSS-API's context flags; `nil` without GSS-API's checksum.
    public let contextFlags: UInt32?
    /// The microseconds to add to `ctime`.
    public let cusec: Int
    /// The client's time.
    public let ctime: KerberosTime
    /// The key that the client proposes; `nil` where there is none.
    public let subkey: SessionKey?
    /// The first sequence number; `nil` where there is none.
    public let sequenceNumber: Int?

    /// Decodes the plaintext; bytes that pad it are passed over.
    ///
    /// - Throws: when a field that the part requires is missing or malformed.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        var outer = try DERReader(bytes)
        var reader = try outer.read(.application(2), as: "Authenticator").sequenceReader(as: "Authenticator")
        _ = try reader.readInteger(0, as: "authenticator-vno")
        crealm = try reader.readText(1, as: "crealm")
        cname = try PrincipalName(decoding: try reader.readRequired(2, as: "cname"), as: "cname")
        let checksum = try reader.readOptional(3, as: "cksum")
        var parts = try checksum?.reader(as: "cksum")
        checksumType = try parts?.readInteger(0, as: "cksumtype")
        let value = try parts?.readRequired(1, as: "checksum").octets(as: "checksum")
        (channelBindings, contextFlags) = Self.gssChecksum(checksumType, value)
        cusec = try reader.readInteger(4, as: "cusec")
        ctime = try KerberosTime(decoding: try reader.readRequired(5, as: "ctime"), as: "ctime")
        let key = try reader.readOptional(6, as: "subkey")
        subkey = try key.map { node throws(DecodeError) in try SessionKey(decoding: node) }
        sequenceNumber = try reader.readOptionalInteger(7, as: "seq-number")
    }

    /// `0 Lgth (4), 16   4 Bnd (16)   20 Flags (4)   24 DlgOpt …`, numbers least significant byte first.
    private static func gssChecksum(_ type: Int?, _ value: ArraySlice<UInt8>?) -> ([UInt8]?, UInt32?) {
        guard type == 0x8003, let value else { return (nil, nil) }
        var cursor = ByteCursor(value)
        // A checksum that is too short says nothing; the authenticator is good all the same.
        guard let length = try? cursor.readLittleEndian(UInt32.self, as: "Lgth"), length == 16,
            let bindings = try? cursor.take(16, as: "Bnd"),
            let flags = try? cursor.readLittleEndian(UInt32.self, as: "Flags")
        else { return (nil, nil) }
        return (Array(bindings), flags)
    }

    /// The names of the context flags that are set, in bit order.
    ///
    /// - Source: RFC 4121 §4.1.1.1; RFC 4757 §7.1 (DCE style, identify, extended error).
    public var contextFlagNames: [String] {
        let names: [(UInt32, String)] = [
            (1, "delegation"), (2, "mutual"), (4, "replay"), (8, "sequence"), (16, "confidentiality"),
            (32, "integrity"),
            (64, "anonymous"), (0x1000, "DCE style"), (0x2000, "identify"), (0x4000, "extended error"),
        ]
        return names.filter { (contextFlags ?? 0) & $0.0 != 0 }.map(\.1)
    }
}

/// What only the client can read of a KDC's reply, as far as keys go.
///
///     EncKDCRepPart ::= SEQUENCE { key [0], last-req [1], nonce [2], key-expiration [3] OPTIONAL, flags [4], … }
///
/// - Source: RFC 4120 §5.4.2.
public struct EncKDCRepPart: Hashable, Sendable {
    /// The key of the session with the service that the ticket is for.
    public let key: SessionKey
    /// The request's number.
    public let nonce: Int

    /// Decodes the plaintext of an AS-REP or a TGS-REP; bytes that pad it are passed over.
    ///
    /// - Throws: when a field that the part requires is missing or malformed.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        var outer = try DERReader(bytes)
        let node = try outer.readNode(as: "EncKDCRepPart")
        // RFC 4120 §5.4.2: some KDCs use the tag of the TGS's part for the AS's as well.
        guard node.tag == .application(25) || node.tag == .application(26) else {
            throw node.wrong("is no EncASRepPart", "EncKDCRepPart")
        }
        var reader = try node.sequenceReader(as: "EncKDCRepPart")
        key = try SessionKey(decoding: try reader.readRequired(0, as: "key"))
        _ = try reader.readRequired(1, as: "last-req")
        nonce = try reader.readInteger(2, as: "nonce")
    }
}

/// The time of a pre-authentication.
///
///     PA-ENC-TS-ENC ::= SEQUENCE { patimestamp [0] KerberosTime, pausec [1] OPTIONAL }
///
/// - Source: RFC 4120 §5.2.7.2.
public struct PreauthenticationTime: Hashable, Sendable {
    /// The client's time.
    public let time: KerberosTime
    /// The microseconds to add; `nil` where the field is missing.
    public let microseconds: Int?

    /// Decodes the plaintext; bytes that pad it are passed over.
    ///
    /// - Throws: when a field that the part requires is missing or malformed.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        var outer = try DERReader(bytes)
        var reader = try outer.read(.sequence, as: "PA-ENC-TS-ENC").reader(as: "PA-ENC-TS-ENC")
        time = try KerberosTime(decoding: try reader.readRequired(0, as: "patimestamp"), as: "patimestamp")
        microseconds = try reader.readOptionalInteger(1, as: "pausec")
    }
}

extension SessionKey {
    init(decoding node: DERNode) throws(DecodeError) {
        guard node.tag == .sequence else { throw node.wrong("is no EncryptionKey", "key") }
        var reader = try node.reader(as: "key")
        etype = EncryptionType(rawValue: try reader.readInteger(0, as: "keytype"))
        value = Secret(Array(try reader.readRequired(1, as: "keyvalue").octets(as: "keyvalue")))
    }
}
