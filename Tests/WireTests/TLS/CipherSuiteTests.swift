import Testing

@testable import AuthScanWire

@Suite struct CipherSuiteTests {
    @Test(
        "suites that servers still offer have their registered names, be they decrypted or not",
        arguments: [
            (0x0099, "TLS_DHE_DSS_WITH_SEED_CBC_SHA"),
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

    @Test func printsUnknownNumbers() { #expect(CipherSuite(rawValue: 0xC0FF).description == "unknown (0xC0FF)") }
}
