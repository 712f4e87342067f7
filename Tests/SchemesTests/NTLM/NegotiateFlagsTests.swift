import Testing

@testable import AuthScanSchemes

@Suite struct NegotiateFlagsTests {
    @Test func namesAllBitsFromTheHighest() {
        let all = NegotiateFlags(rawValue: .max).names
        #expect(all.count == 32 && Set(all).count == 32)
        #expect(all.first == "NTLMSSP_NEGOTIATE_56" && all.last == "NTLMSSP_NEGOTIATE_UNICODE")
    }

    @Test("MS-NLMP 4.2.2: 0xE2028233")
    func namesWorkedExample() {
        let flags = NegotiateFlags(rawValue: 0xE202_8233)
        #expect(
            flags.names == [
                "NTLMSSP_NEGOTIATE_56", "NTLMSSP_NEGOTIATE_KEY_EXCH", "NTLMSSP_NEGOTIATE_128",
                "NTLMSSP_NEGOTIATE_VERSION",
                "NTLMSSP_TARGET_TYPE_SERVER", "NTLMSSP_NEGOTIATE_ALWAYS_SIGN", "NTLMSSP_NEGOTIATE_NTLM",
                "NTLMSSP_NEGOTIATE_SEAL", "NTLMSSP_NEGOTIATE_SIGN", "NTLM_NEGOTIATE_OEM", "NTLMSSP_NEGOTIATE_UNICODE",
            ]
        )
        #expect(flags.contains([.negotiateSign, .negotiateSeal]) && !flags.contains(.anonymous))
    }
}
