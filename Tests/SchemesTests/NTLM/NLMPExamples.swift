@testable import AuthScanSchemes

/// The messages of MS-NLMP 4.2: user "User", domain "Domain", server "Server", workstation "COMPUTER".
enum NLMPExamples {
    private static let signature = "4e544c4d53535000"
    private static let server = "530065007200760065007200"
    private static let domain = "44006f006d00610069006e00"
    private static let names = domain + "5500730065007200" + "43004f004d0050005500540045005200"
    private static let nameFields = "0c000c00480000000800080054000000100010005c000000"

    /// MS-NLMP 4.2.2.3: NTLMv1.
    static let challengeV1 =
        signature + "020000000c000c0038000000338202e20123456789abcdef" + "00000000000000000000000000000000"
        + "060070170000000f" + server

    /// MS-NLMP 4.2.2.3: NTLMv1.
    static let authenticateV1 =
        signature + "03000000180018006c0000001800180084000000" + nameFields
        + "100010009c000000358280e2050128 0a0000000f"
        + names + "98def7b87f88aa5dafe2df779688a172def11c7d5ccdef13"
        + "67c43011f30298a2ad35ece64f16331c44bdbed927841f94" + "518822b1b3f350c8958682ecbb3e3cb7"

    /// MS-NLMP 4.2.3.3: NTLMv1 with client challenge.
    static let authenticateSession =
        signature + "03000000180018006c0000001800180084000000" + nameFields
        + "000000009c00000035820882050128 0a0000000f" + names
        + "aaaaaaaaaaaaaaaa00000000000000000000000000000000" + "7537f803ae367128ca458204bde7caf81e97ed2683267232"

    /// MS-NLMP 4.2.4.3: NTLMv2.
    static let challengeV2 =
        signature + "020000000c000c003800000033828ae20123456789abcdef" + "0000000000000000" + "2400240044000000"
        + "060070170000000f" + server + "02000c00" + domain + "01000c00" + server + "00000000"

    /// MS-NLMP 4.2.4.3: NTLMv2.
    static let authenticateV2 =
        signature + "03000000180018006c0000005400540084000000" + nameFields
        + "10001000d8000000358288e2050128 0a0000000f"
        + names + "86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa" + "68cd0ab851e51c96aabc927bebef6a1c"
        + "01010000000000000000000000000000aaaaaaaaaaaaaaaa00000000" + "02000c00" + domain + "01000c00" + server
        + "00000000" + "00000000" + "c5dad2544fc979909 4ce1ce90bc9d03e"

    static let all = [challengeV1, authenticateV1, authenticateSession, challengeV2, authenticateV2]
}
