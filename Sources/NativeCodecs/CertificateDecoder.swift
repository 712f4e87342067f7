internal import CLibcrypto

/// An X.509 certificate as libcrypto reads it: its facts, with names as text.
///
/// - Source: RFC 5280 §4.1.
@safe
public final class CertificateDecoder {
    // SAFETY: the certificate is owned by this object alone, from `init` to `deinit`.
    private let certificate: OpaquePointer
    private let der: [UInt8]

    /// The most alternative names that are read of one certificate.
    private static let nameLimit = 256

    /// Reads a certificate in DER form; `nil` where it is none.
    public init?(der: [UInt8]) {
        // SAFETY: libcrypto reads at most as many bytes as stated, and the pointer does not leave the closure.
        let certificate = unsafe der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_X509(nil, &position, bytes.count)
        }
        // What libcrypto has to say about damage is not looked at.
        ERR_clear_error()
        guard let certificate = unsafe certificate else { return nil }
        unsafe self.certificate = unsafe certificate
        self.der = der
    }

    deinit {
        // SAFETY: nobody uses the certificate any more.
        unsafe X509_free(certificate)
    }

    /// The subject's distinguished name in the form of RFC 4514; empty for an empty name.
    public var subject: String {
        // SAFETY: the name belongs to the certificate.
        unsafe DistinguishedName.text(X509_get_subject_name(certificate))
    }

    /// The issuer's distinguished name in the form of RFC 4514.
    public var issuer: String {
        // SAFETY: the name belongs to the certificate.
        unsafe DistinguishedName.text(X509_get_issuer_name(certificate))
    }

    /// The subject's common name; `nil` where it has none.
    public var commonName: String? {
        // SAFETY: the name, its entries and their strings belong to the certificate.
        guard let name = unsafe X509_get_subject_name(certificate) else { return nil }
        let index = unsafe X509_NAME_get_index_by_NID(name, NID_commonName, -1)
        guard index >= 0, let entry = unsafe X509_NAME_get_entry(name, index) else { return nil }
        return unsafe CertificateDecoder.text(X509_NAME_ENTRY_get_data(entry))
    }

    private static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
        var bytes: UnsafeMutablePointer<UInt8>?
        // SAFETY: libcrypto allocates the converted string, which is copied and then freed.
        let count = unsafe ASN1_STRING_to_UTF8(&bytes, string)
        guard count >= 0, let bytes = unsafe bytes else { return nil }
        defer { unsafe CRYPTO_free(bytes, #file, 0) }
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    /// The alternative names of the subject: DNS names, and addresses as their four or sixteen bytes.
    ///
    /// - Source: RFC 5280 §4.2.1.6.
    public var alternativeNames: (dnsNames: [String], addresses: [[UInt8]]) {
        var dnsNames: [String] = []
        var addresses: [[UInt8]] = []
        // SAFETY: libcrypto allocates the list, which is read and then freed as a whole.
        guard let extensionValue = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else {
            return ([], [])
        }
        let list = OpaquePointer(extensionValue)
        defer { unsafe GENERAL_NAMES_free(list) }
        for index in 0..<min(unsafe OPENSSL_sk_num(list), Int32(CertificateDecoder.nameLimit)) {
            guard let value = unsafe OPENSSL_sk_value(list, index) else { continue }
            let name = unsafe value.assumingMemoryBound(to: GENERAL_NAME.self).pointee
            if unsafe name.type == GEN_DNS {
                unsafe dnsNames.append(String(decoding: CertificateDecoder.bytes(name.d.dNSName), as: UTF8.self))
            } else if unsafe name.type == GEN_IPADD {
                unsafe addresses.append(CertificateDecoder.bytes(name.d.iPAddress))
            }
        }
        return (dnsNames, addresses)
    }

    /// Where the issuer's own certificate can be fetched, as it says; URIs of any scheme.
    ///
    /// - Source: RFC 5280 §4.2.2.1 (id-ad-caIssuers).
    public var issuerAddresses: [String] {
        var addresses: [String] = []
        // SAFETY: libcrypto allocates the list, which is read and then freed as a whole.
        guard let extensionValue = unsafe X509_get_ext_d2i(certificate, NID_info_access, nil, nil) else { return [] }
        let list = OpaquePointer(extensionValue)
        defer { unsafe AUTHORITY_INFO_ACCESS_free(list) }
        for index in 0..<min(unsafe OPENSSL_sk_num(list), Int32(CertificateDecoder.nameLimit)) {
            guard let value = unsafe OPENSSL_sk_value(list, index) else { continue }
            let access = unsafe value.assumingMemoryBound(to: ACCESS_DESCRIPTION.self).pointee
            guard unsafe OBJ_obj2nid(access.method) == NID_ad_ca_issuers, let place = unsafe access.location,
                unsafe place.pointee.type == GEN_URI
            else { continue }
            unsafe addresses.append(
                String(decoding: CertificateDecoder.bytes(place.pointee.d.uniformResourceIdentifier), as: UTF8.self)
            )
        }
        return addresses
    }

    private static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        // SAFETY: the string's length is its own, and the bytes are copied.
        let count = unsafe string == nil ? 0 : Int(ASN1_STRING_length(string))
        return unsafe Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: count))
    }

    /// From when to when it is valid, in seconds since 1970; `nil` where a time cannot be read.
    public var validity: (notBefore: Int64, notAfter: Int64)? {
        // SAFETY: the times belong to the certificate.
        guard let notBefore = unsafe CertificateDecoder.seconds(X509_get0_notBefore(certificate)),
            let notAfter = unsafe CertificateDecoder.seconds(X509_get0_notAfter(certificate))
        else { return nil }
        return (notBefore, notAfter)
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        // SAFETY: the epoch is this call's own.
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }

    /// The public key: its algorithm's name (`RSA`, `EC`), its size in bits, and for elliptic curves the curve's name.
    public var publicKey: (algorithm: String, bits: Int, curve: String?)? {
        // SAFETY: the key belongs to the certificate.
        guard let key = unsafe X509_get0_pubkey(certificate) else { return nil }
        let identifier = unsafe EVP_PKEY_get_base_id(key)
        let bits = Int(unsafe EVP_PKEY_get_bits(key))
        switch identifier {
        case EVP_PKEY_RSA: return ("RSA", bits, nil)
        case EVP_PKEY_EC: return unsafe ("EC", bits, CertificateDecoder.curve(of: key))
        default: return (CertificateDecoder.name(of: identifier), bits, nil)
        }
    }

    private static func curve(of key: OpaquePointer) -> String? {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        // SAFETY: libcrypto writes at most as many bytes as there are, and says how many.
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return nil }
        return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func name(of identifier: Int32) -> String {
        // SAFETY: libcrypto returns a constant string or nothing.
        unsafe OBJ_nid2sn(identifier).map { unsafe String(cString: $0) } ?? "unknown"
    }

    /// The signature algorithm's name, and the name of the hash function that it uses where it has one (`SHA256`).
    public var signature: (algorithm: String, hash: String?) {
        var hash: Int32 = 0
        // SAFETY: libcrypto fills in the number.
        let isKnown = unsafe X509_get_signature_info(certificate, &hash, nil, nil, nil) == 1
        let algorithm = unsafe X509_get_signature_nid(certificate)
        return (
            CertificateDecoder.name(of: algorithm),
            isKnown && hash != NID_undef ? CertificateDecoder.name(of: hash) : nil
        )
    }

    /// Whether it may sign other certificates: basic constraints say so, or it is an old self-signed one.
    ///
    /// - Source: RFC 5280 §4.2.1.9.
    public var isAuthority: Bool {
        // SAFETY: libcrypto reads the certificate.
        unsafe X509_check_ca(certificate) != 0
    }

    /// Whether another certificate's key has signed it.
    public func isSigned(by issuer: CertificateDecoder) -> Bool {
        // SAFETY: the key belongs to the issuer's certificate, which lives as long as the call.
        let status = unsafe X509_verify(certificate, X509_get0_pubkey(issuer.certificate))
        ERR_clear_error()
        return status == 1
    }

    /// The serial number in hexadecimal digits.
    public var serialNumber: String {
        // SAFETY: the number belongs to the certificate.
        unsafe CertificateDecoder.bytes(X509_get0_serialNumber(certificate)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

/// Distinguished names as text.
public enum DistinguishedName {
    /// A name in DER form as text in the form of RFC 4514; `nil` where it is none.
    public static func text(der: [UInt8]) -> String? {
        // SAFETY: libcrypto reads at most as many bytes as stated, and the pointer does not leave the closure.
        let name = unsafe der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_X509_NAME(nil, &position, bytes.count)
        }
        ERR_clear_error()
        guard let name = unsafe name else { return nil }
        defer { unsafe X509_NAME_free(name) }
        return unsafe text(name)
    }

    fileprivate static func text(_ name: OpaquePointer?) -> String {
        // SAFETY: the buffer is this call's own; its bytes are copied before it is freed.
        guard let name = unsafe name, let buffer = unsafe BIO_new(BIO_s_mem()) else { return "" }
        defer { unsafe BIO_free(buffer) }
        // RFC 4514's form, but with bytes beyond ASCII as they are: the text is UTF-8.
        let flags = UInt(
            ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT | ASN1_STRFLGS_DUMP_UNKNOWN
                | ASN1_STRFLGS_DUMP_DER | XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_DN_REV | XN_FLAG_DUMP_UNKNOWN_FIELDS
        )
        guard unsafe X509_NAME_print_ex(buffer, name, 0, flags) >= 0 else { return "" }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe BIO_ctrl(buffer, BIO_CTRL_INFO, 0, &bytes)
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: max(0, count)), as: UTF8.self)
    }
}
