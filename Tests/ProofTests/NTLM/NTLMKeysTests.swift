import Testing

@testable import AuthScanProof

/// The values of MS-NLMP 4.2.1: user "User", domain "Domain", password "Password".
@Suite struct NTLMKeysTests {
    @Test("MS-NLMP 4.2.2.1, 4.2.4.1: the one-way functions")
    func derives() throws {
        let hash = NTLMKeys.ntHash(of: "Password")
        #expect(hash == (try hex("a4f49c406510bdcab6824ee7c30fd852")))
        #expect(NTLMKeys.lmHash(of: "Password") == (try hex("e52cac67419a9a224a3b108f3fa6cb6d")))
        #expect(
            NTLMKeys.v2Key(ntHash: hash, user: "USER", domain: "Domain")
                == (try hex("0c868a403bfd7a93a3001ef22ef02e3f"))
        )
    }

    @Test("MS-NLMP 4.2.2.2: the responses of NTLMv1")
    func encrypts() throws {
        let challenge = try hex("0123456789abcdef")
        #expect(
            NTLMKeys.longDES(key: NTLMKeys.ntHash(of: "Password"), challenge)
                == (try hex("67c43011f30298a2ad35ece64f16331c44bdbed927841f94"))
        )
        #expect(
            NTLMKeys.longDES(key: NTLMKeys.lmHash(of: "Password"), challenge)
                == (try hex("98def7b87f88aa5dafe2df779688a172def11c7d5ccdef13"))
        )
    }

    @Test("a password that is too long or not ASCII has no LM hash, and letters are raised one for one")
    func knowsLimits() {
        #expect(NTLMKeys.lmHash(of: "fifteen-letters").isEmpty && NTLMKeys.lmHash(of: "pässword").isEmpty)
        #expect(NTLMKeys.uppercased("straße é") == "STRAßE É")
    }
}
