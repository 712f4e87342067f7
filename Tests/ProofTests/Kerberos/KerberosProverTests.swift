import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import Testing

@testable import AuthScanProof

@Suite struct KerberosProverTests {
    /// MIT Kerberos' client and an acceptor by GSS-API, without SPNEGO; the key is that of `KeytabEntryTests`.
    private static let request =
        "YIIC1gYJKoZIhvcSAQICAQBuggLFMIICwaADAgEFoQMCAQ6iBwMFACAAAACjggHYYYIB1DCCAdCgAwIBBaEOGwxDT1JQLkVYQU1QTEWiJTAjoAMCAQOh"
        + "HDAaGwRIVFRQGxJpaXMwMS5jb3JwLmV4YW1wbGWjggGQMIIBjKADAgESoQMCAQKiggF+BIIBemvh1JFgE8vHsKHbd4W9EVoEExV5VO8Xkkk+Cp4B9vi6"
        + "OdBsJq3veB5keTE/imeuFyKpoNENgETZOB4Tcgl0h3T6KtyRDR63qm5qLNiVqBONIkr3EC5byWDh6vkefr3CkcFM0nH6+Fe6TEZuARHqW9Q/oa9zQWMF"
        + "vWuQORHQaIwOI4LppV+we36WEl0MRFdXyAI2orPZUeJgO1KFKF2S0OeGpXpx5r1I78kDC6qUbd9vGkcKyeD/z+XOtFoMLXur6yiiv9NXW3sRWKL2TrWV"
        + "3LvF3nic+bxOQraRusuPrvmglvOGoYEjRIOnV+qGZmPr2S0DPiCqpCjS5G+RYqzkHd++sbglaaGpOew8y83zbAkOFXtGtW2Y/iEbvawZ3Amu0FqM64z/"
        + "INIci9qIEEAgs6p5VYWDm+i7FAgbZaclZBA01YooZJhEji0C9BrYm/y/x3SkwD83dfRv+e8vONUo/ouAEmlRsWLsUxinQX8mkPbQdSa9tVMelRnM+6SB"
        + "zzCBzKADAgESooHEBIHB67vmuum+h3Z176lYPG7SjsyS1jDPTiyTi4NO5A+9U+XJS2qle9Tbc0ijeWRfe1RDz85STlqV5iMjfuTrMl7Ad245fFo7Qzy2"
        + "e+MswOfF3ygp5PC4TYdAkGm/XvPGhBcpPhYIvlxUkYY+RAxHiWVVu0WD+KXjiRdWuDw1xxnH9+SclWoEpHduskaaE2iyD0DT2nUdlbcWrJsGoe2kE6uV"
        + "4b6y+bhBZanE5lcbqvP0zcU0n4+/70IAayK/7ZgUzzuqjQ=="
    private static let reply =
        "YIGZBgkqhkiG9xIBAgICAG+BiTCBhqADAgEFoQMCAQ+iejB4oAMCARKicQRv1Tey+O0pBEnPYdIJZxSPdSAzjcjhLR/hjoa9IB4K2poNeM0y8QH6o/wu"
        + "PL7QSsoUbIA5lWwuup326D8bmNtsU9YtFEkWj5D6/2tQbMdPitCCSi8Fyy+ynqqfdh2zQBKkg7KF+Ok8HKyMQmI7GZEF"

    private func message(_ base64: String) throws -> KerberosMessage {
        try KerberosMessage(decoding: try Base64.decode(Array(base64.utf8)[...])[...])
    }

    private func proofs(_ entries: String) throws -> [Proof] {
        let keytab = try KeytabEntry.entries(decoding: try hex("0502" + entries)[...])
        let request = try #require(try message(Self.request).apReq)
        return KerberosProver(keytab: keytab).proofs(request, try message(Self.reply).apRep)
    }

    @Test("the service's key opens the ticket, and all that follows from it")
    func opens() throws {
        let proofs = try proofs(KeytabEntryTests.entry)
        #expect(proofs.map(\.subject) == [.kerberosTicket, .kerberosAuthenticator, .kerberosReply])
        #expect(proofs.allSatisfy { $0.verdict == .right })
        #expect(proofs[0].details.first?.value == .text("alice@CORP.EXAMPLE"))
        let bindings = proofs[1].details.first { $0.name == "channelBindings" }
        #expect(bindings?.value == .text("none"))
    }

    @Test("a key under another name is named, and one of another version does not pass for the ticket's")
    func namesOtherKeys() throws {
        let other = KeytabEntryTests.entry.replacing("69697330312e", with: "69697330322e")
        #expect(
            try proofs(other)[0].verdict
                == .rightForOther("the key of HTTP/iis02.corp.example@CORP.EXAMPLE, version 2")
        )
        let changed = KeytabEntryTests.entry.replacing("39c2a436", with: "39c2a437")
        #expect(try proofs(changed).map(\.verdict) == [.wrong])
        let newer = changed.dropLast(1) + "3"
        #expect(
            try proofs(String(newer)).map(\.verdict) == [
                .cannotTell("the ticket is for key version 2, the keytab has 3")
            ]
        )
        let stranger = changed.replacing("69697330312e", with: "69697330322e")
        #expect(
            try proofs(stranger).map(\.verdict) == [
                .cannotTell("the keytab has no key of HTTP/iis01.corp.example@CORP.EXAMPLE")
            ]
        )
    }
}
