public import AuthScanBytes

/// What PA-FX-FAST shows without keys: which armor is worn, and what lies under it.
///
///     armored-data [0] in both directions:
///     KrbFastArmoredReq ::= SEQUENCE { armor [0] KrbFastArmor OPTIONAL, req-checksum [1] Checksum, enc-fast-req [2] EncryptedData }
///     KrbFastArmoredRep ::= SEQUENCE { enc-fast-rep [0] EncryptedData }
///     KrbFastArmor      ::= SEQUENCE { armor-type [0] Int32, armor-value [1] OCTET STRING }
///     Checksum          ::= SEQUENCE { cksumtype [0] Int32, checksum [1] OCTET STRING }
///
/// - Source: RFC 6113 §5.4.1 to §5.4.3; RFC 4120 §5.2.9.
public struct FASTArmoredData: Hashable, Sendable {
    /// The armor's type; `nil` where the ticket of the request is the armor, and in replies.
    public let armorType: Int?
    /// The armor's octets; empty where `armorType` is `nil`.
    public let armorValue: Secret<[UInt8]>
    /// The AP-REQ that is the armor; `nil` for another armor, or one that cannot be read.
    public let armor: APReq?
    /// The type of the checksum over the request; `nil` in replies.
    public let checksumType: Int?
    /// The checksum over the request; empty in replies.
    public let checksum: [UInt8]
    /// What lies under the armor.
    public let encPart: EncryptedPart

    /// Whether it is the client's.
    public var isRequest: Bool { checksumType != nil }
}

extension FASTArmoredData {
    init(decoding value: ArraySlice<UInt8>) throws(DecodeError) {
        var outer = try DERReader(value)
        var reader = try outer.readRequired(0, as: "armored-data").reader(as: "armored-data")
        let first = try reader.readOptional(0, as: "armor")
        guard let sum = try reader.readOptional(1, as: "req-checksum") else {
            guard let first else {
                throw DecodeError(.invalidValue("is missing"), "enc-fast-rep", offset: reader.offset)
            }
            (armorType, armorValue, armor, checksumType, checksum) = (nil, Secret([]), nil, nil, [])
            encPart = try EncryptedPart(decoding: first, as: "enc-fast-rep")
            return
        }
        var worn = try first?.reader(as: "armor")
        armorType = try worn?.readInteger(0, as: "armor-type")
        let octets = try worn?.readRequired(1, as: "armor-value").octets(as: "armor-value")
        armorValue = Secret(Array(octets ?? []))
        // RFC 6113 §5.4.1.1: type 1 is an AP-REQ. One that cannot be read is kept as its octets.
        let message = armorType == 1 ? octets.flatMap { try? KerberosMessage(decoding: $0) } : nil
        if case .apReq(let request)? = message { armor = request } else { armor = nil }
        var fields = try sum.reader(as: "req-checksum")
        checksumType = try fields.readInteger(0, as: "cksumtype")
        checksum = Array(try fields.readRequired(1, as: "checksum").octets(as: "checksum"))
        encPart = try reader.readEncryptedPart(2, as: "enc-fast-req")
    }
}
