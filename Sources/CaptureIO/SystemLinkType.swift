import CLibpcap

// Capture files have a link type's registered number (LINKTYPE_), libpcap's functions that of the system (DLT_). They are
// the same but for a few that systems had numbered before they were registered, and that libpcap's headers name.

private let pairs: [(registered: UInt16, system: Int32)] = [
    (50, DLT_PPP_SERIAL), (51, DLT_PPP_ETHER), (100, DLT_ATM_RFC1483), (101, DLT_RAW), (104, DLT_C_HDLC),
    (106, DLT_ATM_CLIP), (107, DLT_FRELAY), (108, DLT_LOOP), (109, DLT_ENC), (113, DLT_LINUX_SLL),
    // Files of other systems may have their own numbers of raw IP.
    (12, DLT_RAW), (14, DLT_RAW),
]

/// The system's number of a link type.
func systemLinkType(_ registered: UInt16) -> Int32 {
    pairs.first { $0.registered == registered }?.system ?? Int32(registered)
}

/// The registered number of a system's link type.
func registeredLinkType(_ system: Int32) -> UInt16 {
    pairs.first { $0.system == system }?.registered ?? UInt16(truncatingIfNeeded: system)
}
