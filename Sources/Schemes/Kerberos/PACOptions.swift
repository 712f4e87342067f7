import AuthScanBytes

/// What a client asks of the KDC beside the ticket, as bits.
///
///     KERB-PA-PAC-OPTIONS ::= SEQUENCE { flags [0] KerberosFlags }
///
/// - Source: MS-KILE 2.2.10; MS-SFU 2.2.5 (resource-based constrained delegation).
public struct PACOptions: OptionSet, Hashable, Sendable {
    /// The bits as on the wire, bit 0 of the BIT STRING first (0x8000_0000).
    public let rawValue: UInt32

    /// States the bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The names of the bits that are set, in bit order.
    public var names: [String] {
        (0..<32).filter { rawValue & (0x8000_0000 >> UInt32($0)) != 0 }.map { Self.known[$0] ?? "bit \($0)" }
    }

    private static let known: [Int: String] = [
        0: "Claims", 1: "Branch-Aware", 2: "Forward-to-Full-DC", 3: "Resource-based-constrained-delegation",
    ]
}

extension PACOptions {
    init(decoding value: ArraySlice<UInt8>) throws(DecodeError) {
        var outer = try DERReader(value)
        var reader = try outer.read(.sequence, as: "PA-PAC-OPTIONS").reader(as: "PA-PAC-OPTIONS")
        rawValue = try reader.readRequired(0, as: "flags").bits(as: "flags")
    }
}
