import AuthScanNativeCodecs

/// An X.509 certificate that one side showed.
///
/// - Source: RFC 5280 §4.1.
public struct Certificate: Hashable, Sendable {
    /// The subject's distinguished name in the form of RFC 4514; empty for an empty name.
    public let subject: String

    /// The subject's common name; `nil` where it has none.
    public let commonName: String?

    /// The issuer's distinguished name in the form of RFC 4514.
    public let issuer: String

    /// The DNS names that it is for, `*.` for any one label.
    ///
    /// - Source: RFC 5280 §4.2.1.6.
    public let dnsNames: [String]

    /// The addresses that it is for.
    public let addresses: [IPAddress]

    /// From when it is valid; `nil` where the times cannot be read.
    public let notBefore: Timestamp?

    /// Until when it is valid; `nil` where the times cannot be read.
    public let notAfter: Timestamp?

    /// The public key's algorithm: `RSA`, `EC`, or libcrypto's name for another one.
    public let keyAlgorithm: String

    /// The public key's size in bits.
    public let keyBits: Int

    /// The name of the key's elliptic curve; `nil` for other keys.
    public let curve: String?

    /// The signature algorithm's name.
    public let signatureAlgorithm: String

    /// The hash function of the signature (`SHA256`); `nil` where the algorithm has none of its own.
    public let signatureHash: String?

    /// Where the certificate of its issuer can be fetched, as it says.
    ///
    /// - Source: RFC 5280 §4.2.2.1.
    public let issuerAddresses: [String]

    /// Whether it may sign other certificates.
    public let isAuthority: Bool

    /// Whether it is signed with its own key.
    public let isSelfSigned: Bool

    /// Whether the next certificate of the chain as sent has signed it; `nil` for the last one.
    public let isSignedByNext: Bool?

    /// The SHA-256 hash of the whole certificate.
    public let fingerprint: [UInt8]

    /// What binds an authentication to a connection with this certificate; `nil` where its signature has no hash function.
    ///
    /// - Source: RFC 5929 §4 (`tls-server-end-point`).
    public let serverEndPoint: [UInt8]?

    /// Reads a chain as it was sent, each certificate in DER form; what is no certificate is left out.
    static func chain(_ encoded: [[UInt8]]) -> [Certificate] {
        let decoders = encoded.compactMap { der in CertificateDecoder(der: der).map { ($0, der) } }
        return decoders.indices.map { index in
            let next = index + 1 < decoders.count ? decoders[index + 1].0 : nil
            return Certificate(decoders[index].0, der: decoders[index].1, next: next)
        }
    }

    private init(_ decoder: CertificateDecoder, der: [UInt8], next: CertificateDecoder?) {
        subject = decoder.subject
        commonName = decoder.commonName
        issuer = decoder.issuer
        let names = decoder.alternativeNames
        dnsNames = names.dnsNames
        addresses = names.addresses.compactMap(IPAddress.init(octets:))
        notBefore = decoder.validity.flatMap { Certificate.timestamp($0.notBefore) }
        notAfter = decoder.validity.flatMap { Certificate.timestamp($0.notAfter) }
        let key = decoder.publicKey
        keyAlgorithm = key?.algorithm ?? "unknown"
        keyBits = key?.bits ?? 0
        curve = key?.curve
        signatureAlgorithm = decoder.signature.algorithm
        signatureHash = decoder.signature.hash
        issuerAddresses = decoder.issuerAddresses
        isAuthority = decoder.isAuthority
        isSelfSigned = subject == issuer && decoder.isSigned(by: decoder)
        isSignedByNext = next.map { decoder.isSigned(by: $0) }
        fingerprint = HashFunction.sha256.digest(of: der)
        serverEndPoint = Certificate.endPointHash(signatureHash).map { $0.digest(of: der) }
    }

    private static func timestamp(_ seconds: Int64) -> Timestamp? {
        let (nanoseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        // "99991231235959Z": no end at all, and beyond what nanoseconds can count.
        return overflows ? Timestamp(nanoseconds: seconds < 0 ? .min : .max) : Timestamp(nanoseconds: nanoseconds)
    }

    /// The function that a certificate is hashed with for channel binding.
    ///
    /// - Source: RFC 5929 §4.1: that of the signature, but SHA-256 in place of MD5 and SHA-1.
    private static func endPointHash(_ signatureHash: String?) -> HashFunction? {
        switch signatureHash {
        case "MD5", "SHA1", "SHA256": .sha256
        case "SHA384": .sha384
        case "SHA512": .sha512
        default: nil
        }
    }

    /// Whether it is for a host, as a client judges it: by its alternative names, or its common name where it has none.
    ///
    /// - Source: RFC 9525 §6.3; RFC 6125 §6.4.4.
    public func covers(host: String) -> Bool {
        let host = host.lowercased()
        if addresses.contains(where: { "\($0)" == host || "[\($0)]" == host }) { return true }
        let names = dnsNames.isEmpty && addresses.isEmpty ? [commonName].compactMap { $0 } : dnsNames
        return names.contains { Certificate.matches(pattern: $0.lowercased(), host) }
    }

    /// A wildcard stands for exactly one label, the leftmost.
    private static func matches(pattern: String, _ host: String) -> Bool {
        guard pattern.hasPrefix("*.") else { return pattern == host }
        guard let dot = host.firstIndex(of: ".") else { return false }
        return dot > host.startIndex && host[dot...] == pattern.dropFirst()
    }

    /// Whether a point in time lies within its validity; `nil` where the validity cannot be read.
    public func isValid(at time: Timestamp) -> Bool? {
        guard let notBefore, let notAfter else { return nil }
        return notBefore.nanoseconds <= time.nanoseconds && time.nanoseconds <= notAfter.nanoseconds
    }

    /// Why it cannot be right for a server at a point in time.
    public enum Fault: Sendable, Equatable {
        /// Its validity had ended.
        case expired
        /// Its validity had not begun.
        case notYetValid
        /// It is not for this host.
        case otherHost(String)
        /// It was shown without the certificate of its issuer, whose name this is, and which is to be fetched elsewhere.
        case issuerMissing(String)
    }

    /// The first fault that a client which checks would find, for the host that it asks for, where it names one; `nil`
    /// where nothing is to be seen.
    ///
    /// - Source: RFC 5280 §4.1.2.5; RFC 9525 §6.3.
    public func fault(at time: Timestamp, host: String?) -> Fault? {
        if isValid(at: time) == false {
            let isPast = notAfter.map { $0.nanoseconds < time.nanoseconds } ?? false
            return isPast ? .expired : .notYetValid
        }
        guard let host, !covers(host: host) else { return nil }
        return .otherHost(host)
    }
}

extension IPAddress {
    /// The address that four or sixteen bytes stand for; `nil` for another count.
    fileprivate init?(octets: [UInt8]) {
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        switch octets.count {
        case 4: self.init(ipv4: UInt32(truncatingIfNeeded: number(octets[...])))
        case 16: self.init(ipv6High: number(octets[..<8]), low: number(octets[8...]))
        default: return nil
        }
    }
}
