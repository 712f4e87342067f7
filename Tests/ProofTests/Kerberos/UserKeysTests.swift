import AuthScanBytes
import Testing

@testable import AuthScanProof
@testable import AuthScanSchemes

@Suite struct UserKeysTests {
    private static let aes256 = EncryptionType(rawValue: 18)

    /// The client's part of the recorded AS-REP.
    private func reply() throws -> KDCReply {
        try #require(try KDCMessage(decoding: try hex(RecordedTickets.initialReply)[...]).reply)
    }

    private func request(_ reply: KDCReply, hints: [EncryptionTypeInfo] = []) -> UserKeys.Request {
        UserKeys.Request(user: reply.cname, realm: reply.crealm, etype: reply.encPart.etype, hints: hints)
    }

    private func search(_ secrets: KnownSecrets, _ request: UserKeys.Request, _ reply: KDCReply) -> UserKeys.Search {
        var keys = UserKeys(secrets)
        let cipher = reply.encPart.cipher.withRevealed { $0 }
        return keys.search(request, opening: cipher, usage: KeyUsage.initialReplyPart)
    }

    private func isFound(_ search: UserKeys.Search) -> Bool { if case .found = search { true } else { false } }

    /// A keytab with one key of a user.
    private func entries(user: String, key: [UInt8]) throws -> [KeytabEntry] {
        func counted(_ octets: [UInt8]) -> [UInt8] { [0, UInt8(octets.count)] + octets }
        let principal = [0, 1] + counted(Array("CORP.EXAMPLE".utf8)) + counted(Array(user.utf8))
        let entry = principal + [0, 0, 0, 1] + [0, 0, 0, 0] + [1] + [0, 18] + counted(key)
        return try KeytabEntry.entries(decoding: ([5, 2, 0, 0, 0, UInt8(entry.count)] + entry)[...])
    }

    @Test("a password with the default salt, and a keytab with the user's own key")
    func findsKeys() throws {
        let reply = try reply()
        var secrets = KnownSecrets()
        secrets.passwords = [KnownSecrets.Password(user: "alice", text: Secret("Lab-Pass-1!"))]
        #expect(isFound(search(secrets, request(reply), reply)))

        let salt = Array("CORP.EXAMPLEalice".utf8)
        let key = try #require(
            KerberosKey(password: "Lab-Pass-1!", salt: salt, etype: Self.aes256, parameters: nil)
        )
        var keytab = KnownSecrets()
        keytab.keytab = try entries(user: "alice", key: key.value)
        #expect(isFound(search(keytab, request(reply), reply)))
        keytab.keytab = try entries(user: "bob", key: key.value)
        #expect(!isFound(search(keytab, request(reply), reply)))
    }

    @Test("no capture makes the search long: a salt that asks for millions of rounds is passed over")
    func spendsNoMoreThanItsBudget() throws {
        let reply = try reply()
        var secrets = KnownSecrets()
        secrets.passwords = [KnownSecrets.Password(user: nil, text: Secret("Lab-Pass-1!"))]
        for parameters in [[0x7F, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0]] as [[UInt8]] {
            let hint = EncryptionTypeInfo(etype: Self.aes256, salt: nil, parameters: parameters)
            guard case .cannotTell = search(secrets, request(reply, hints: [hint]), reply) else {
                Issue.record("a key was made with \(parameters)")
                continue
            }
        }
    }
}
