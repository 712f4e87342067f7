public import AuthScanBytes

/// The type of pre-authentication data.
///
/// - Source: RFC 4120 §7.5.2; the IANA registry of pre-authentication data types; MS-KILE 2.2.10.
public struct PreauthenticationType: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int
    /// Names a type.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The AP-REQ with the ticket-granting ticket of a TGS-REQ.
    public static let tgsRequest = Self(rawValue: 1)
    /// The time, encrypted in the user's key.
    public static let encryptedTimestamp = Self(rawValue: 2)
    /// Encryption types with their salts, in the old form.
    public static let etypeInfo = Self(rawValue: 11)
    /// Encryption types with their salts and parameters.
    public static let etypeInfo2 = Self(rawValue: 19)
    /// Whether a PAC is wanted.
    public static let pacRequest = Self(rawValue: 128)

    /// The salt of the user's key.
    public static let passwordSalt = Self(rawValue: 3)

    /// The encryption types that a service's account supports.
    public static let supportedEtypes = Self(rawValue: 165)

    /// A request with a certificate.
    public static let pkASReq = Self(rawValue: 16)
    /// The answer to a request with a certificate.
    public static let pkASRep = Self(rawValue: 17)

    /// What a client asks of the KDC beside the ticket.
    public static let pacOptions = Self(rawValue: 167)

    /// Data under armor.
    public static let fast = Self(rawValue: 136)

    /// The registered name, such as `PA-ENC-TIMESTAMP`; `unknown (999)` for others.
    public var name: String { Self.names[rawValue] ?? "unknown (\(rawValue))" }

    private static let names: [Int: String] = [
        1: "PA-TGS-REQ", 2: "PA-ENC-TIMESTAMP", 3: "PA-PW-SALT", 5: "PA-ENC-UNIX-TIME", 9: "PA-AFS3-SALT",
        11: "PA-ETYPE-INFO", 13: "PA-SAM-RESPONSE", 14: "PA-PK-AS-REQ_OLD", 15: "PA-PK-AS-REP_OLD", 16: "PA-PK-AS-REQ",
        17: "PA-PK-AS-REP", 19: "PA-ETYPE-INFO2", 20: "PA-SVR-REFERRAL-INFO", 21: "PA-SAM-REDIRECT",
        25: "PA-EXTRA-TGT", 30: "PA-SAM-CHALLENGE2", 31: "PA-SAM-RESPONSE2", 111: "TD-CMS-DIGEST-ALGORITHMS",
        128: "PA-PAC-REQUEST", 129: "PA-FOR-USER", 130: "PA-FOR-X509-USER", 132: "PA-AS-CHECKSUM", 133: "PA-FX-COOKIE",
        134: "PA-AUTHENTICATION-SET", 135: "PA-AUTH-SET-SELECTED", 136: "PA-FX-FAST", 137: "PA-FX-ERROR",
        138: "PA-ENCRYPTED-CHALLENGE", 141: "PA-OTP-CHALLENGE", 142: "PA-OTP-REQUEST", 144: "PA-OTP-PIN-CHANGE",
        145: "PA-EPAK-AS-REQ", 146: "PA-EPAK-AS-REP", 147: "PA-PKINIT-KX", 148: "PA-PKU2U-NAME",
        149: "PA-REQ-ENC-PA-REP", 150: "PA-AS-FRESHNESS", 151: "PA-SPAKE", 165: "PA-SUPPORTED-ENCTYPES",
        166: "PA-EXTENDED-ERROR", 167: "PA-PAC-OPTIONS",
    ]
}

/// One element of pre-authentication data, as far as it is readable without keys.
///
///     PA-DATA ::= SEQUENCE { padata-type [1] Int32, padata-value [2] OCTET STRING }
///
/// - Source: RFC 4120 §5.2.7.
public struct PreauthenticationData: Hashable, Sendable {
    /// What the value means.
    public enum Content: Hashable, Sendable {
        /// PA-TGS-REQ: the ticket that the request is made with.
        case apReq(APReq)
        /// PA-ENC-TIMESTAMP: the proof that the user knows the password.
        case encryptedTimestamp(EncryptedPart)
        /// PA-ETYPE-INFO or PA-ETYPE-INFO2: the keys that the KDC has.
        case etypeInfo([EncryptionTypeInfo])
        /// PA-PAC-REQUEST.
        case pacRequest(Bool)
        /// PA-PW-SALT: the salt of the user's key.
        case salt([UInt8])
        /// PA-SUPPORTED-ENCTYPES: the encryption types of a service's account, and what else it can do.
        case supportedEtypes(SupportedEncryptionTypes)
        /// PA-FX-FAST: data under armor.
        case fast(FASTArmoredData)
        /// PA-PK-AS-REQ: a request with a certificate.
        case pkASReq(PKASReq)
        /// PA-PK-AS-REP: the answer to a request with a certificate.
        case pkASRep(PKASRep)
        /// PA-PAC-OPTIONS.
        case pacOptions(PACOptions)
        /// Another type, or a value that does not follow its type.
        case other
    }

    /// The type.
    public let type: PreauthenticationType
    /// The value.
    public let value: Secret<[UInt8]>
    /// What the value means.
    public let content: Content
    /// What is malformed in the value; its offset counts from the value's start.
    public let problem: DecodeError?
}

/// An encryption type for which the KDC has a key, and how that key is made of the password.
///
///     ETYPE-INFO2-ENTRY ::= SEQUENCE { etype [0], salt [1] KerberosString OPTIONAL, s2kparams [2] OCTET STRING OPTIONAL }
///
/// - Source: RFC 4120 §5.2.7.4, §5.2.7.5.
public struct EncryptionTypeInfo: Hashable, Sendable {
    /// The encryption type.
    public let etype: EncryptionType
    /// The salt; `nil` where the default salt is meant.
    public let salt: [UInt8]?
    /// The parameters of the function from string to key; `nil` where its defaults are meant.
    public let parameters: [UInt8]?
}

extension PreauthenticationData {
    /// How many elements are kept.
    static let limit = 64

    /// Reads `SEQUENCE OF PA-DATA`.
    ///
    /// - Throws: when the list, or an element's type or value, cannot be read.
    static func list(decoding node: DERNode) throws(DecodeError) -> [PreauthenticationData] {
        var reader = try node.reader(as: "padata")
        var list: [PreauthenticationData] = []
        while !reader.isAtEnd, list.count < limit {
            var entry = try reader.read(.sequence, as: "padata").reader(as: "padata")
            let type = PreauthenticationType(rawValue: try entry.readInteger(1, as: "padata-type"))
            let value = try entry.readRequired(2, as: "padata-value").octets(as: "padata-value")
            list.append(PreauthenticationData(type: type, value: value))
        }
        return list
    }

    private init(type: PreauthenticationType, value: ArraySlice<UInt8>) {
        self.type = type
        self.value = Secret(Array(value))
        do throws(DecodeError) {
            content = try Content(decoding: value, of: type)
            problem = nil
        } catch {
            content = .other
            problem = error
        }
    }
}

extension PreauthenticationData.Content {
    fileprivate init(decoding value: ArraySlice<UInt8>, of type: PreauthenticationType) throws(DecodeError) {
        // A KDC asks for a type by sending it without a value.
        guard !value.isEmpty else {
            self = .other
            return
        }
        switch type {
        case .tgsRequest:
            guard case .apReq(let request) = try KerberosMessage(decoding: value) else {
                throw DecodeError(.invalidValue("is no AP-REQ"), type.name, offset: 0)
            }
            self = .apReq(request)
        case .encryptedTimestamp:
            var reader = try DERReader(value)
            self = .encryptedTimestamp(try EncryptedPart(decoding: try reader.readNode(as: type.name), as: type.name))
        case .passwordSalt: self = .salt(Array(value))
        case .supportedEtypes:
            var cursor = ByteCursor(value)
            let bits = try cursor.readLittleEndian(UInt32.self, as: type.name)
            self = .supportedEtypes(SupportedEncryptionTypes(rawValue: bits))
        case .fast: self = .fast(try FASTArmoredData(decoding: value))
        case .pkASReq: self = .pkASReq(try PKASReq(decoding: value))
        case .pkASRep: self = .pkASRep(try PKASRep(decoding: value))
        case .pacOptions: self = .pacOptions(try PACOptions(decoding: value))
        case .etypeInfo, .etypeInfo2: self = .etypeInfo(try EncryptionTypeInfo.list(decoding: value, as: type.name))
        case .pacRequest:
            var reader = try DERReader(value)
            var fields = try reader.read(.sequence, as: type.name).reader(as: type.name)
            let flag = try fields.readRequired(0, as: "include-pac")
            guard flag.tag == .boolean, flag.contents.count == 1 else {
                throw flag.wrong("is no BOOLEAN", "include-pac")
            }
            self = .pacRequest(flag.contents.first != 0)
        default: self = .other
        }
    }
}

extension EncryptionTypeInfo {
    fileprivate static func list(decoding value: ArraySlice<UInt8>, as field: String) throws(DecodeError) -> [Self] {
        var outer = try DERReader(value)
        var reader = try outer.read(.sequence, as: field).reader(as: field)
        var list: [Self] = []
        while !reader.isAtEnd, list.count < PreauthenticationData.limit {
            var entry = try reader.read(.sequence, as: field).reader(as: field)
            let etype = EncryptionType(rawValue: try entry.readInteger(0, as: "etype"))
            // A KerberosString in the newer form, an OCTET STRING in the older one: the octets are the salt in both.
            let salt = try entry.readOptional(1, as: "salt").map { Array($0.contents) }
            let parameters = try entry.readOptional(2, as: "s2kparams").map { Array($0.contents) }
            list.append(Self(etype: etype, salt: salt, parameters: parameters))
        }
        return list
    }
}
