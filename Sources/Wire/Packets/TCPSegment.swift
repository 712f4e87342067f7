/// One TCP segment: who sent it to whom, its header, and where its payload lies in the captured frame.
///
/// - Source: RFC 9293 §3.1.
struct TCPSegment {
    /// The header's control bits that the analysis looks at.
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let fin = Flags(rawValue: 0x01)
        static let syn = Flags(rawValue: 0x02)
        static let rst = Flags(rawValue: 0x04)
        static let ack = Flags(rawValue: 0x10)
    }

    /// The halves of the sender's address, as in `IPAddress`.
    var sourceHigh: UInt64 = 0
    var sourceLow: UInt64 = 0
    /// The halves of the receiver's address.
    var destinationHigh: UInt64 = 0
    var destinationLow: UInt64 = 0
    var isIPv4 = true
    var sourcePort: UInt16 = 0
    var destinationPort: UInt16 = 0

    /// The sequence number of the first payload byte, or of the SYN.
    var sequence: UInt32 = 0
    /// What the sender expects next; valid with `.ack`.
    var acknowledgement: UInt32 = 0
    var flags: Flags = []

    /// Where the payload starts in the frame.
    var payloadStart = 0
    /// How many bytes of it were captured.
    var payloadCount = 0
    /// How many bytes of it the snapshot length cut off.
    var missingCount = 0

    /// The number of the process that it belongs to, as the capture says; 0 for none.
    var process: UInt32 = 0
}

extension TCPSegment {
    /// Whether it acknowledges, neither begins nor ends anything, and was captured whole.
    @inline(__always)
    var isUsual: Bool { flags.intersection([.syn, .fin, .rst, .ack]) == .ack && missingCount == 0 }

    /// The sender.
    var source: Endpoint {
        Endpoint(address: address(sourceHigh, sourceLow), port: sourcePort)
    }

    /// The receiver.
    var destination: Endpoint {
        Endpoint(address: address(destinationHigh, destinationLow), port: destinationPort)
    }

    private func address(_ high: UInt64, _ low: UInt64) -> IPAddress {
        isIPv4 ? IPAddress(ipv4: UInt32(truncatingIfNeeded: low)) : IPAddress(ipv6High: high, low: low)
    }
}
