/// An alert: one side ends the connection, or says why it will not have it.
///
/// - Source: RFC 8446 §6; RFC 5246 §7.2.
public struct TLSAlert: Hashable, Sendable {
    /// Who sent it.
    public let from: Side

    /// Whether it is fatal; `nil` where it is encrypted.
    public let isFatal: Bool?

    /// What it says; `nil` where it is encrypted and cannot be read.
    public let description: AlertDescription?

    /// The packet that completed it, counted from 1.
    public let packet: Int

    /// When that packet was captured.
    public let time: Timestamp

    /// Whether the sender had not yet proven that it has the keys: the alert belongs to the handshake.
    public let isDuringHandshake: Bool

    /// Creates an alert.
    public init(
        from: Side,
        isFatal: Bool?,
        description: AlertDescription?,
        packet: Int,
        time: Timestamp,
        isDuringHandshake: Bool
    ) {
        self.from = from
        self.isFatal = isFatal
        self.description = description
        self.packet = packet
        self.time = time
        self.isDuringHandshake = isDuringHandshake
    }
}

/// What an alert says.
///
/// - Source: the IANA registry "TLS Alerts"; RFC 8446 §6.
public struct AlertDescription: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// Creates a description from its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sender sends nothing more.
    public static let closeNotify = AlertDescription(rawValue: 0)
    /// No common parameters.
    public static let handshakeFailure = AlertDescription(rawValue: 40)
    /// The client has no certificate (SSL 3.0).
    public static let noCertificate = AlertDescription(rawValue: 41)
    /// The other side's certificate is damaged.
    public static let badCertificate = AlertDescription(rawValue: 42)
    /// The other side's certificate is of a kind that is not taken.
    public static let unsupportedCertificate = AlertDescription(rawValue: 43)
    /// The other side's certificate was revoked.
    public static let certificateRevoked = AlertDescription(rawValue: 44)
    /// The other side's certificate is out of its time.
    public static let certificateExpired = AlertDescription(rawValue: 45)
    /// The other side's certificate is not taken for another reason.
    public static let certificateUnknown = AlertDescription(rawValue: 46)
    /// The other side's certificate has no known issuer.
    public static let unknownCA = AlertDescription(rawValue: 48)
    /// The certificate is fine, but it gives no access.
    public static let accessDenied = AlertDescription(rawValue: 49)
    /// No common version.
    public static let protocolVersion = AlertDescription(rawValue: 70)
    /// No other handshake, please.
    public static let noRenegotiation = AlertDescription(rawValue: 100)
    /// The server knows no host of that name.
    public static let unrecognizedName = AlertDescription(rawValue: 112)
    /// The server wants a certificate and got none.
    public static let certificateRequired = AlertDescription(rawValue: 116)

    private static let names: [UInt8: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
        22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate",
        42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired",
        46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error",
        51: "decrypt_error", 60: "export_restriction", 70: "protocol_version", 71: "insufficient_security",
        80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled", 100: "no_renegotiation",
        109: "missing_extension", 110: "unsupported_extension", 111: "certificate_unobtainable",
        112: "unrecognized_name", 113: "bad_certificate_status_response", 114: "bad_certificate_hash_value",
        115: "unknown_psk_identity", 116: "certificate_required", 120: "no_application_protocol", 121: "ech_required",
    ]

    /// Whether it refuses the other side's certificate.
    public var refusesCertificate: Bool { (42...46).contains(rawValue) || self == .unknownCA }
}

extension AlertDescription: CustomStringConvertible {
    /// The registered name; an unknown number as such.
    public var description: String { AlertDescription.names[rawValue] ?? "unknown (\(rawValue))" }
}
