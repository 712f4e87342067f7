import AuthScanBytes
import AuthScanSchemes
import Testing

@testable import AuthScanProof

@Suite struct TimestampProverTests {
    /// MIT Kerberos' kinit, with aes256; the password is Lab-Pass-1!.
    private static let request =
        "6a82011430820110a103020105a20302010aa3773075300da10402020085a20504034d4954304ca103020102a24504433041a003020112a23a"
        + "0438cdfd8bfc5907cc41836dcc7b7dcab5e86c2a750c9667bf31eaa017578698ffb78e4fb6745f928f01c3dd5dc0dd85318b880bafc91f7a1a1a"
        + "300aa10402020096a2020400300aa10402020095a2020400a4818a308187a00703050000000010a1123010a003020101a10930071b05616c6963"
        + "65a20e1b0c434f52502e4558414d504c45a321301fa003020102a11830161b066b72627467741b0c434f52502e4558414d504c45a511180f3230"
        + "3236313230313032323331325aa70602046796bebfa81a301802011202011102011402011302011002011702011902011a"

    private func verdict(_ password: String, hints: [EncryptionTypeInfo] = []) throws -> Proof.Verdict? {
        let message = try KDCMessage(decoding: try hex(Self.request)[...])
        var secrets = KnownSecrets()
        secrets.passwords = [KnownSecrets.Password(user: nil, text: Secret(password))]
        return TimestampProver(secrets).proof(try #require(message.request), hints: hints)?.verdict
    }

    @Test("a recorded AS-REQ: the right password opens the time, with the salt made of realm and user")
    func opens() throws {
        #expect(try verdict("Lab-Pass-1!") == .right)
        #expect(try verdict("Lab-Pass-2!") == .wrong)
    }

    @Test("a user whom nothing is known about")
    func saysWhatIsMissing() throws {
        let message = try KDCMessage(decoding: try hex(Self.request)[...])
        let proof = TimestampProver(KnownSecrets()).proof(try #require(message.request), hints: [])
        #expect(proof?.verdict == .cannotTell("no password is known for this user"))
    }
}
