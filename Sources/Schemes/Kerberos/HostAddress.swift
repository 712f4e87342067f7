import AuthScanBytes

/// An address that a ticket is bound to.
///
///     HostAddress ::= SEQUENCE { addr-type [0] Int32, address [1] OCTET STRING }
///
/// - Source: RFC 4120 §5.2.5, §7.5.3.
public struct HostAddress: Hashable, Sendable {
    /// What kind of address it is: 2 is IPv4, 24 IPv6, 20 NetBIOS.
    public let type: Int
    /// The address, in network byte order.
    public let address: [UInt8]

    /// The address as a person reads it: dotted for IPv4, the name for NetBIOS, hexadecimal digits for others.
    public var text: String {
        switch type {
        case 2 where address.count == 4: address.map(String.init).joined(separator: ".")
        // MS-KILE pads NetBIOS names with spaces to sixteen octets.
        case 20: String(fieldText(address[...]).reversed().drop { $0 == " " }.reversed())
        default: Hex.encode(address)
        }
    }

    /// The specification's name of the type; `unknown (99)` for others.
    public var typeName: String {
        switch type {
        case 2: "IPv4"
        case 3: "Directional"
        case 5: "ChaosNet"
        case 6: "XNS"
        case 7: "ISO"
        case 12: "DECNET Phase IV"
        case 16: "AppleTalk DDP"
        case 20: "NetBios"
        case 24: "IPv6"
        default: "unknown (\(type))"
        }
    }

    init(decoding node: DERNode) throws(DecodeError) {
        guard node.tag == .sequence else { throw node.wrong("is no HostAddress", "addresses") }
        var reader = try node.reader(as: "addresses")
        type = try reader.readInteger(0, as: "addr-type")
        address = Array(try reader.readRequired(1, as: "address").octets(as: "address"))
    }
}
