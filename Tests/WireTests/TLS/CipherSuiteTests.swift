import AuthScanNativeCodecs
import Testing

@testable import AuthScanWire

@Suite struct CipherSuiteTests {
    @Test(
        "suites that servers still offer have their registered names, although they are not decrypted",
        arguments: [
            (0xC050, "TLS_RSA_WITH_ARIA_128_GCM_SHA256"),
            (0xC051, "TLS_RSA_WITH_ARIA_256_GCM_SHA384"),
            (0xC060, "TLS_ECDHE_RSA_WITH_ARIA_128_GCM_SHA256"),
            (0xC061, "TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384"),
        ]
    )
    func names(number: Int, name: String) {
        let suite = CipherSuite(rawValue: UInt16(number))
        #expect(suite.description == name)
        #expect(suite.protection == nil)
        #expect(suite.hasForwardSecrecy == name.contains("DHE_"))
    }

    @Test(
        "suites that nobody should offer any more are decrypted, whatever the key exchange",
        arguments: [
            (0x0003, CipherSuite.Protection.rc4(.md5), true), (0x0004, .rc4(.md5), false),
            (0x0017, .rc4(.md5), true), (0x0028, .rc4(.sha1), true),
            (0x0007, .cbc(.idea, .sha1), false), (0x0021, .cbc(.idea, .sha1), false),
            (0x0025, .cbc(.idea, .md5), false),
            (0x0008, .cbc(.des, .sha1), true), (0x0009, .cbc(.des, .sha1), false),
            (0x000B, .cbc(.des, .sha1), true), (0x0014, .cbc(.des, .sha1), true),
            (0x0019, .cbc(.des, .sha1), true), (0x0026, .cbc(.des, .sha1), true),
        ]
    )
    func decryptsOldSuites(number: Int, protection: CipherSuite.Protection, isExport: Bool) {
        let suite = CipherSuite(rawValue: UInt16(number))
        #expect(suite.protection == protection)
        #expect(suite.isExport == isExport)
    }

    @Test(
        "RC2 and SEED are decrypted where libcrypto has its legacy provider",
        arguments: [
            (0x0006, CBCCipher.Algorithm.rc2, HashFunction.md5), (0x0027, .rc2, .sha1), (0x0096, .seed, .sha1),
            (0x0097, .seed, .sha1), (0x0098, .seed, .sha1), (0x0099, .seed, .sha1), (0x009A, .seed, .sha1),
            (0x009B, .seed, .sha1),
        ]
    )
    func decryptsWhatTheSystemHas(number: Int, algorithm: CBCCipher.Algorithm, hash: HashFunction) {
        let suite = CipherSuite(rawValue: UInt16(number))
        #expect(suite.protection == (algorithm.isAvailable ? .cbc(algorithm, hash) : nil))
    }

    @Test func printsUnknownNumbers() { #expect(CipherSuite(rawValue: 0xC0FF).description == "unknown (0xC0FF)") }
}
