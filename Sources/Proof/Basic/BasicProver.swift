import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions

/// Holds Basic credentials against the known passwords.
struct BasicProver {
    let credentials: BasicCredentials
    let passwords: [KnownSecrets.Password]

    func proof() -> Proof {
        guard let captured = credentials.passwordBytes?.withRevealed({ $0 }) else {
            return Proof(.basicPassword, .cannotTell("the credentials hold no password"))
        }
        guard !passwords.isEmpty else {
            return Proof(.basicPassword, .cannotTell("no password is known for this user"))
        }
        for password in passwords where captured == password.text.withRevealed({ Array($0.utf8) }) {
            return Proof(.basicPassword, .right)
        }
        for password in passwords {
            if let name = password.text.withRevealed({ difference(captured, $0) }) {
                return Proof(.basicPassword, .rightForOther(name))
            }
        }
        return Proof(.basicPassword, .wrong)
    }

    /// What lies between the captured bytes and a password that differs in its writing alone; `nil` where it differs.
    private func difference(_ captured: [UInt8], _ password: String) -> String? {
        let (charset, read) = (credentials.charset, credentials.password?.withRevealed { $0 })
        if captured == Self.latin1(password) { return "the password in ISO-8859-1, not in UTF-8" }
        if read == password {
            // Texts compare equal whose letters are composed differently.
            if charset == .utf8 { return "the password with its letters composed otherwise" }
            return "the password in \(charset.rawValue), not in UTF-8"
        }
        let trimmed = captured.prefix(captured.count - captured.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count)
        if trimmed.count < captured.count, Array(trimmed) == Array(password.utf8) {
            return "the password with a line break behind it"
        }
        return nil
    }

    /// The text in ISO 8859-1; `nil` where it has another character.
    static func latin1(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
