/// What the first header of a captured frame is.
///
/// - Source: the LINKTYPE_ values registered with tcpdump.org; a few DLT_ values that found their way into files.
struct LinkType: RawRepresentable, Hashable, Sendable {
    /// The registered number.
    let rawValue: UInt16

    static let null = LinkType(rawValue: 0)
    static let ethernet = LinkType(rawValue: 1)
    static let rawBSD = LinkType(rawValue: 12)
    static let rawOpenBSD = LinkType(rawValue: 14)
    static let raw = LinkType(rawValue: 101)
    static let loop = LinkType(rawValue: 108)
    static let linuxSLL = LinkType(rawValue: 113)
    static let ipv4 = LinkType(rawValue: 228)
    static let ipv6 = LinkType(rawValue: 229)
    static let linuxSLL2 = LinkType(rawValue: 276)

    /// Names of link types that are not read, for the line that says so.
    private static let names: [UInt16: String] = [
        6: "Token Ring", 8: "SLIP", 9: "PPP", 10: "FDDI", 50: "PPP in HDLC framing", 51: "PPPoE", 104: "Cisco HDLC",
        105: "IEEE 802.11", 107: "Frame Relay", 119: "IEEE 802.11 with Prism header", 127: "IEEE 802.11 with radiotap",
        187: "Bluetooth HCI", 189: "USB", 192: "PPI", 195: "IEEE 802.15.4", 201: "Bluetooth HCI", 220: "USB",
        239: "NFLOG", 249: "USBPcap", 253: "Netlink",
    ]
}

extension LinkType: CustomStringConvertible {
    /// `link type 127 (IEEE 802.11 with radiotap)`.
    var description: String {
        "link type \(rawValue)" + (LinkType.names[rawValue].map { " (\($0))" } ?? "")
    }
}
