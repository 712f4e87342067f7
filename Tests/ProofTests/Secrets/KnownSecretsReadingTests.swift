import AuthScanBytes
import Testing

@testable import AuthScanProof

@Suite struct KnownSecretsReadingTests {
    @Test("one password a line; before a tab the user that it is for; blanks belong to the password")
    func readsPasswords() throws {
        var secrets = KnownSecrets()
        try secrets.readPasswords(Array("\u{FEFF}first \r\n\nalice\tB0b:with:colons\n\tof anybody\n".utf8))
        #expect(secrets.passwords.map(\.user) == [nil, "alice", ""])
        #expect(secrets.passwords.map(\.text.revealed) == ["first ", "B0b:with:colons", "of anybody"])
    }

    @Test("NT hashes alone, with a user, and as pwdump writes them")
    func readsHashes() throws {
        let hash = "a4f49c406510bdcab6824ee7c30fd852"
        var secrets = KnownSecrets()
        try secrets.readNTHashes(
            Array("\(hash)\nalice:\(hash)\nbob:1001:\(String(repeating: "0", count: 32)):\(hash):::\n".utf8)
        )
        #expect(secrets.ntHashes.map(\.user) == [nil, "alice", "bob"])
        #expect(secrets.ntHashes.allSatisfy { Hex.encode($0.value.revealed) == hash })
    }

    @Test(
        "files of other forms are refused, by their line, and never quoted",
        arguments: [("s3cret\n", 1), ("a4f49c406510bdcab6824ee7c30fd852\nalice:s3cret\n", 2)]
    )
    func refuses(file: String, line: Int) {
        var secrets = KnownSecrets()
        let error = #expect(throws: SecretFileError.self) { try secrets.readNTHashes(Array(file.utf8)) }
        #expect(error?.line == line && error?.message.contains("s3cret") == false)
    }

    @Test("an empty file, one that is no UTF-8, and one with a list of passwords to try")
    func refusesUnfitFiles() {
        var secrets = KnownSecrets()
        #expect(throws: SecretFileError.self) { try secrets.readPasswords([]) }
        #expect(throws: SecretFileError.self) { try secrets.readPasswords([0xFF]) }
        #expect(throws: SecretFileError.self) { try secrets.readPasswords(Array("alice\t\n".utf8)) }
        let many = (0...KnownSecrets.limit).map { "password\($0)\n" }.joined()
        #expect(throws: SecretFileError.self) { try secrets.readPasswords(Array(many.utf8)) }
    }

    @Test("users are compared without domain and letter case")
    func matchesUsers() throws {
        var secrets = KnownSecrets()
        try secrets.readPasswords(Array("CORP\\Alice\ta\nbob@corp\tb\nc\n".utf8))
        func passwords(_ user: String?) -> [String] { secrets.passwords(for: user).map(\.text.revealed) }
        #expect(passwords("alice") == ["a", "c"] && passwords("BOB") == ["b", "c"] && passwords("carol") == ["c"])
        #expect(passwords(nil) == ["a", "b", "c"])
    }

    @Test("no description shows a secret")
    func keepsSecrets() throws {
        var secrets = KnownSecrets()
        try secrets.readPasswords(Array("s3cret\n".utf8))
        #expect(!"\(secrets)".contains("s3cret") && !String(reflecting: secrets).contains("s3cret"))
    }
}
