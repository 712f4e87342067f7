import AuthScanBytes
import AuthScanNativeCodecs

/// A Certificate message: the chain, each certificate in DER form, the sender's own first.
///
/// ```
/// TLS 1.2: certificate_list<0..2^24-1> of cert<1..2^24-1>
/// TLS 1.3: certificate_request_context<0..255> certificate_list<0..2^24-1> of cert_data<1..2^24-1> extensions<0..2^16-1>
/// ```
///
/// - Source: RFC 5246 §7.4.2; RFC 8446 §4.4.2.
struct CertificateMessage {
    let certificates: [[UInt8]]

    /// The most certificates that are read of one message.
    private static let limit = 32

    init(_ body: ArraySlice<UInt8>, version: TLSVersion) throws(DecodeError) {
        var cursor = ByteCursor(body)
        if version >= .tls13 { _ = try cursor.takeVector(lengthBytes: 1, as: "certificate_request_context") }
        var list = ByteCursor(try cursor.takeVector(lengthBytes: 3, as: "certificate_list"))
        var certificates: [[UInt8]] = []
        while list.remaining > 0, certificates.count < CertificateMessage.limit {
            certificates.append(Array(try list.takeVector(lengthBytes: 3, as: "cert_data")))
            if version >= .tls13 { _ = try list.takeVector(lengthBytes: 2, as: "extensions") }
        }
        self.certificates = certificates
    }

    /// Whether a message says that the sender has no certificate; a damaged message does not say so.
    static func isEmpty(_ body: ArraySlice<UInt8>, version: TLSVersion) -> Bool {
        guard let message = try? CertificateMessage(body, version: version) else { return false }
        return message.certificates.isEmpty
    }
}

/// A server's wish to see the client's certificate.
///
/// ```
/// TLS 1.2: certificate_types<1..255> supported_signature_algorithms<2..2^16-2> certificate_authorities<0..2^16-1>
/// TLS 1.3: certificate_request_context<0..255> extensions<2..2^16-1>
/// ```
///
/// - Source: RFC 5246 §7.4.4; RFC 4346 §7.4.4 (no algorithms); RFC 8446 §4.3.2.
public struct CertificateRequest: Hashable, Sendable {
    /// The packet that completed it, counted from 1.
    public internal(set) var packet = 0

    /// The distinguished names of the authorities that the server takes certificates of; empty where it does not say.
    public let authorities: [String]

    /// Whether it came after the handshake (TLS 1.3), or in a renegotiation (before).
    public internal(set) var isAfterHandshake = false

    /// The most names that are read of one request.
    private static let limit = 512

    init(_ body: ArraySlice<UInt8>, version: TLSVersion) throws(DecodeError) {
        var cursor = ByteCursor(body)
        if version >= .tls13 {
            _ = try cursor.takeVector(lengthBytes: 1, as: "certificate_request_context")
            guard cursor.remaining > 0 else {
                throw DecodeError(.truncated(needed: 2, available: 0), "extensions", offset: cursor.offset)
            }
            let extensions = try TLSExtension.list(&cursor)
            guard let data = extensions[.certificateAuthorities] else {
                authorities = []
                return
            }
            cursor = ByteCursor(data)
        } else {
            _ = try cursor.takeVector(lengthBytes: 1, as: "certificate_types")
            if version == .tls12 { _ = try cursor.takeVector(lengthBytes: 2, as: "supported_signature_algorithms") }
        }
        var list = ByteCursor(try cursor.takeVector(lengthBytes: 2, as: "certificate_authorities"))
        var names: [String] = []
        while list.remaining > 0, names.count < CertificateRequest.limit {
            let name = Array(try list.takeVector(lengthBytes: 2, as: "DistinguishedName"))
            names.append(DistinguishedName.text(der: name) ?? "not a name (\(name.count) bytes)")
        }
        authorities = names
    }
}
