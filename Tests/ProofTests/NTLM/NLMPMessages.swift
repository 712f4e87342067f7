import AuthScanBytes
import AuthScanSchemes

/// The messages of MS-NLMP 4.2: user "User", domain "Domain", server "Server", workstation "COMPUTER", password "Password".
enum NLMPMessages {
    private static let signature = "4e544c4d53535000"
    private static let server = "530065007200760065007200"
    static let domain = "44006f006d00610069006e00"
    private static let names = domain + "5500730065007200" + "43004f004d0050005500540045005200"
    private static let nameFields = "0c000c00480000000800080054000000100010005c000000"

    static let challengeV1 =
        signature + "020000000c000c0038000000338202e20123456789abcdef00000000000000000000000000000000060070170000000f"
        + server
    static let authenticateV1 =
        signature + "03000000180018006c0000001800180084000000" + nameFields + "100010009c000000358280e20501280a0000000f"
        + names
        + "98def7b87f88aa5dafe2df779688a172def11c7d5ccdef13" + "67c43011f30298a2ad35ece64f16331c44bdbed927841f94"
        + "518822b1b3f350c8958682ecbb3e3cb7"
    static let challengeSession = challengeV1.replacing("338202e2", with: "33820ae2")
    static let authenticateSession =
        signature + "03000000180018006c0000001800180084000000" + nameFields + "000000009c000000358208820501280a0000000f"
        + names
        + "aaaaaaaaaaaaaaaa00000000000000000000000000000000" + "7537f803ae367128ca458204bde7caf81e97ed2683267232"
    static let challengeV2 =
        signature + "020000000c000c003800000033828ae20123456789abcdef00000000000000002400240044000000060070170000000f"
        + server
        + "02000c00" + domain + "01000c00" + server + "00000000"
    static let authenticateV2 =
        signature + "03000000180018006c0000005400540084000000" + nameFields + "10001000d8000000358288e20501280a0000000f"
        + names
        + "86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa" + "68cd0ab851e51c96aabc927bebef6a1c"
        + "01010000000000000000000000000000aaaaaaaaaaaaaaaa0000000002000c00" + domain + "01000c00" + server
        + "0000000000000000" + "c5dad2544fc9799094ce1ce90bc9d03e"

    static func handshake(_ challenge: String, _ authenticate: String) throws -> NTLMHandshake {
        let messages = try [challenge, authenticate].map { try NTLMMessage(decoding: try hex($0)[...]) }
        return NTLMHandshake(negotiate: nil, challenge: messages[0].challenge, authenticate: messages[1].authenticate)
    }
}
