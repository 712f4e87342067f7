import AuthScanNativeCodecs
import AuthScanSchemes

/// The one-way functions of NTLM.
///
/// - Source: MS-NLMP 3.3.1, 3.3.2, 3.4.5.
enum NTLMKeys {
    /// NTOWFv1: MD4 over the password in UTF-16.
    static func ntHash(of password: String) -> [UInt8] { MD4.digest(of: utf16(password)) }

    /// LMOWFv1: DES under the two halves of the password in upper case, in the OEM code page; empty for a password that
    /// has no LM hash, being longer than 14 letters or not ASCII.
    static func lmHash(of password: String) -> [UInt8] {
        let letters = Array(password.uppercased().utf8)
        guard letters.count <= 14, letters.allSatisfy({ $0 < 0x80 }) else { return [] }
        let padded = letters + [UInt8](repeating: 0, count: 14 - letters.count)
        let plain = Array("KGS!@#$%".utf8)
        return des(padded.prefix(7), plain) + des(padded.suffix(7), plain)
    }

    /// NTOWFv2 and LMOWFv2: HMAC-MD5 over the user's name in upper case and the domain as it is.
    static func v2Key(ntHash: [UInt8], user: String, domain: String) -> [UInt8] {
        HashFunction.md5.hmac(of: utf16(user) + utf16(domain), key: ntHash)
    }

    /// DESL: 24 bytes, the data encrypted under three keys of seven bytes each.
    static func longDES(key: [UInt8], _ data: [UInt8]) -> [UInt8] {
        let padded = key + [UInt8](repeating: 0, count: 21 - min(21, key.count))
        return des(padded[0..<7], data) + des(padded[7..<14], data) + des(padded[14..<21], data)
    }

    /// DES under 56 bits: each of the key's eight octets holds seven of them, and a parity bit that nobody looks at.
    private static func des(_ key: ArraySlice<UInt8>, _ block: [UInt8]) -> [UInt8] {
        let bits = key.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let octets = (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(49 - 7 * $0) & 0x7F) << 1 }
        return BlockCipher.des.encrypt(block, key: octets)
    }

    /// The text in UTF-16, least significant byte first.
    static func utf16(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    /// The name in upper case, one letter for one: `ß` stays as it is, as Windows leaves it.
    static func uppercased(_ user: String) -> String {
        String(
            String.UnicodeScalarView(
                user.unicodeScalars.map { scalar in
                    let upper = scalar.properties.uppercaseMapping.unicodeScalars
                    return upper.count == 1 ? upper.first ?? scalar : scalar
                }
            )
        )
    }
}
