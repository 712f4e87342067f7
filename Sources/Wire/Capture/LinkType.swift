/// What the first header of a captured frame is.
///
/// - Source: the LINKTYPE_ values registered with tcpdump.org; a few DLT_ values that found their way into files.
struct LinkType: RawRepresentable, Hashable, Sendable {
    /// The registered number.
    let rawValue: UInt16

    static let null = LinkType(rawValue: 0)
    static let ethernet = LinkType(rawValue: 1)
    static let tokenRing = LinkType(rawValue: 6)
    static let arcnet = LinkType(rawValue: 7)
    static let slip = LinkType(rawValue: 8)
    static let ppp = LinkType(rawValue: 9)
    static let fddi = LinkType(rawValue: 10)
    static let rawBSD = LinkType(rawValue: 12)
    static let rawOpenBSD = LinkType(rawValue: 14)
    static let pppHDLC = LinkType(rawValue: 50)
    static let pppoe = LinkType(rawValue: 51)
    static let atmRFC1483 = LinkType(rawValue: 100)
    static let raw = LinkType(rawValue: 101)
    static let ciscoHDLC = LinkType(rawValue: 104)
    static let ieee80211 = LinkType(rawValue: 105)
    static let frameRelay = LinkType(rawValue: 107)
    static let loop = LinkType(rawValue: 108)
    static let openBSDEncapsulation = LinkType(rawValue: 109)
    static let linuxSLL = LinkType(rawValue: 113)
    static let openBSDFilterLog = LinkType(rawValue: 117)
    static let ieee80211Prism = LinkType(rawValue: 119)
    static let sunATM = LinkType(rawValue: 123)
    static let ieee80211Radiotap = LinkType(rawValue: 127)
    static let arcnetLinux = LinkType(rawValue: 129)
    static let appleIPOverIEEE1394 = LinkType(rawValue: 138)
    /// Private use; files with PKTAP headers were written with this number before it was registered.
    static let user2 = LinkType(rawValue: 149)
    static let ieee80211AVS = LinkType(rawValue: 163)
    static let pppPPPD = LinkType(rawValue: 166)
    static let juniperEthernet = LinkType(rawValue: 178)
    static let juniperPPP = LinkType(rawValue: 179)
    static let juniperFrameRelay = LinkType(rawValue: 180)
    static let juniperCiscoHDLC = LinkType(rawValue: 181)
    static let ppi = LinkType(rawValue: 192)
    static let pppWithDirection = LinkType(rawValue: 204)
    static let ciscoHDLCWithDirection = LinkType(rawValue: 205)
    static let frameRelayWithDirection = LinkType(rawValue: 206)
    static let ipnet = LinkType(rawValue: 226)
    static let ipv4 = LinkType(rawValue: 228)
    static let ipv6 = LinkType(rawValue: 229)
    static let nflog = LinkType(rawValue: 239)
    static let netAnalyzer = LinkType(rawValue: 240)
    static let netAnalyzerTransparent = LinkType(rawValue: 241)
    static let pktap = LinkType(rawValue: 258)
    static let linuxSLL2 = LinkType(rawValue: 276)
    static let broadcomSwitchTag = LinkType(rawValue: 281)
    static let broadcomSwitchTagFirst = LinkType(rawValue: 282)
    static let marvellSwitchTag = LinkType(rawValue: 284)
    static let marvellSwitchTagWithType = LinkType(rawValue: 285)
    /// What only another file format has a number for.
    static let unregistered = LinkType(rawValue: .max)

    /// Names of link types that are not read, for the line that says so.
    private static let names: [UInt16: String] = [
        99: "Symantec Enterprise Firewall", 114: "Apple LocalTalk", 122: "IP over Fibre Channel",
        130: "Juniper multilink PPP", 132: "Juniper encryption services", 137: "Juniper ATM",
        140: "SS7 MTP2", 143: "DOCSIS", 144: "Linux IrDA", 147: "private use 0", 148: "private use 1",
        149: "private use 2", 150: "private use 3", 160: "private use 13", 165: "BACnet MS/TP", 177: "Linux LAPD",
        182: "multilink frame relay", 187: "Bluetooth HCI", 189: "USB", 195: "IEEE 802.15.4", 196: "SITA",
        201: "Bluetooth HCI", 215: "IEEE 802.15.4", 220: "USB", 224: "Fibre Channel", 227: "CAN bus",
        230: "IEEE 802.15.4", 231: "D-Bus", 235: "DVB-CI", 242: "IP over InfiniBand", 245: "NFC LLCP",
        247: "InfiniBand", 249: "USBPcap", 251: "Bluetooth Low Energy", 252: "Wireshark's own", 253: "Netlink",
        254: "Bluetooth monitor", 256: "Bluetooth Low Energy", 264: "ISO 14443", 265: "RDS", 266: "USB of Darwin",
        289: "ATSC link layer", .max: "of the file format's own numbering",
    ]
}

extension LinkType: CustomStringConvertible {
    /// `link type 189 (USB)`.
    var description: String {
        "link type \(rawValue)" + (LinkType.names[rawValue].map { " (\($0))" } ?? "")
    }
}
