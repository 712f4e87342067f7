/// What App Transport Security asks of a connection, and what the capture shows of it.
///
/// - Source: Apple, "Preventing Insecure Network Connections" and the documentation of NSAppTransportSecurity.
public struct TransportSecurity: Hashable, Sendable {
    /// A requirement; the raw value is what reports call it.
    public enum Requirement: String, CaseIterable, Sendable {
        /// Any TLS at all.
        case encryption = "TLS instead of cleartext"
        /// TLS 1.2 or newer.
        case tlsVersion = "TLS 1.2 or newer"
        /// Keys from an ephemeral exchange.
        case forwardSecrecy = "forward secrecy"
        /// The server's certificate is signed with SHA-256 or a stronger hash.
        case certificateHash = "certificate signed with SHA-256 or stronger"
        /// The server's key has at least 2,048 bits (RSA) or 256 bits (elliptic curve).
        case keySize = "RSA key of 2048 or EC key of 256 bits"

        /// The key of Info.plist, per domain, that lifts the requirement; `nil` where there is none but the general one.
        public var exceptionKey: String? {
            switch self {
            case .encryption: "NSExceptionAllowsInsecureHTTPLoads"
            case .tlsVersion: "NSExceptionMinimumTLSVersion"
            case .forwardSecrecy: "NSExceptionRequiresForwardSecrecy"
            case .certificateHash, .keySize: nil
            }
        }
    }

    private let verdicts: [Requirement: Bool]

    /// The requirements that the connection does not meet, for certain.
    public var failures: [Requirement] { Requirement.allCases.filter { verdicts[$0] == false } }

    /// Whether a requirement is met; `nil` where the capture does not show it.
    public func isMet(_ requirement: Requirement) -> Bool? { verdicts[requirement] }

    /// Judges a connection by its handshake.
    public init(_ connection: TLSConnection) {
        var verdicts: [Requirement: Bool] = [.encryption: true]
        verdicts[.tlsVersion] = connection.version.map { $0 >= .tls12 }
        verdicts[.forwardSecrecy] = connection.cipherSuite.map(\.hasForwardSecrecy)
        if let certificate = connection.serverCertificate {
            verdicts[.certificateHash] = certificate.signatureHash.map { $0 != "MD5" && $0 != "SHA1" }
            switch certificate.keyAlgorithm {
            case "RSA": verdicts[.keySize] = certificate.keyBits >= 2048
            case "EC": verdicts[.keySize] = certificate.keyBits >= 256
            default: break
            }
        }
        self.verdicts = verdicts
    }

    private init(verdicts: [Requirement: Bool]) { self.verdicts = verdicts }

    /// A server that is spoken to without TLS.
    public static let cleartext = TransportSecurity(verdicts: [.encryption: false])

    /// What two connections show of one server: it meets what it met on either.
    public func joined(with other: TransportSecurity) -> TransportSecurity {
        TransportSecurity(verdicts: verdicts.merging(other.verdicts) { $0 || $1 })
    }
}
