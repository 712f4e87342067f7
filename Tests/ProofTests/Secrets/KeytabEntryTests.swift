import AuthScanBytes
import AuthScanSchemes
import Testing

@testable import AuthScanProof

@Suite struct KeytabEntryTests {
    /// One entry as MIT Kerberos' ktutil writes it: HTTP/iis01.corp.example@CORP.EXAMPLE, version 2, aes256.
    static let entry =
        "0000005b0002000c434f52502e4558414d504c45000448545450001269697330312e636f72702e6578616d706c65000000016b0ce0b0020012"
        + "002039c2a4360a51402b4b330360faf45b3217abfd2be72f2eb60a29c919f16d212100000002"

    @Test func readsEntries() throws {
        // A hole of four bytes stands between the two.
        let file = try hex("0502" + Self.entry + "fffffffc00000000" + Self.entry)
        let entries = try KeytabEntry.entries(decoding: file[...])
        #expect(entries.count == 2 && entries[0] == entries[1])
        #expect(entries[0].principal == "HTTP/iis01.corp.example@CORP.EXAMPLE" && entries[0].kvno == 2)
        #expect(entries[0].etype.name == "aes256-cts-hmac-sha1-96" && entries[0].key.byteCount == 32)
    }

    @Test("an entry without the longer version number has the shorter one")
    func readsOldEntries() throws {
        let old = "00000057" + Self.entry.dropFirst(8).dropLast(8)
        #expect(try KeytabEntry.entries(decoding: try hex("0502" + old)[...]).map(\.kvno) == [2])
    }

    @Test("every cut file is refused, and one of another kind")
    func refusesOthers() throws {
        let file = try hex("0502" + Self.entry)
        for count in 3..<file.count {
            #expect(throws: DecodeError.self) { try KeytabEntry.entries(decoding: file[..<count]) }
        }
        var secrets = KnownSecrets()
        #expect(throws: SecretFileError.self) { try secrets.readKeytab(Array("password\n".utf8)) }
        #expect(throws: SecretFileError.self) { try secrets.readKeytab([5, 2]) }
    }
}
