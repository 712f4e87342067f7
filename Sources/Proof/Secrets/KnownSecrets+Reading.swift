import AuthScanBytes

/// A file of secrets that cannot be read, and why; the message never quotes the file.
public struct SecretFileError: Error, Hashable, Sendable {
    /// What is wrong, in one phrase.
    public let message: String
    /// The line, counted from 1; `nil` where it is the file as a whole.
    public let line: Int?
}

extension KnownSecrets {
    /// Takes the passwords of a file: one a line, and before a tab the user that it is for, if it is for one alone.
    ///
    ///     line = [ user TAB ] password
    ///
    /// Blanks belong to the password. Empty lines are passed over.
    /// - Throws: for a file that holds none, that is no UTF-8, or that holds more than ``limit``.
    public mutating func readPasswords(_ file: [UInt8]) throws(SecretFileError) {
        for (number, line) in try Self.lines(file) {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            guard let password = parts.last, !password.isEmpty else {
                throw SecretFileError(message: "no password stands behind the tab", line: number)
            }
            let user = parts.count > 1 ? String(parts[0]) : nil
            passwords.append(Password(user: user, text: Secret(String(password))))
        }
        try checkCount()
    }

    /// Takes the NT hashes of a file: 32 hexadecimal digits a line, perhaps with a user before a colon, or a line of pwdump.
    ///
    ///     line = [ user ":" ] hash | user ":" rid ":" LM-hash ":" hash ":::"
    ///
    /// - Throws: for a line of another form, a file that holds none, or one that holds more than ``limit``.
    public mutating func readNTHashes(_ file: [UInt8]) throws(SecretFileError) {
        for (number, line) in try Self.lines(file) {
            let parts = line.split(separator: ":", omittingEmptySubsequences: false)
            let digits = parts.count >= 4 ? parts[3] : parts.last ?? ""
            // What is no hash is named by its line: quoting it would show a secret.
            guard digits.utf8.count == 32, let value = try? Hex.decode(digits.utf8) else {
                throw SecretFileError(message: "no NT hash of 32 hexadecimal digits", line: number)
            }
            ntHashes.append(NTHash(user: parts.count > 1 ? String(parts[0]) : nil, value: Secret(value)))
        }
        try checkCount()
    }

    /// The lines that are not empty, with their numbers.
    private static func lines(_ file: [UInt8]) throws(SecretFileError) -> [(number: Int, text: String)] {
        guard file.count <= 1 << 20 else { throw SecretFileError(message: "the file is too long", line: nil) }
        var bytes = file[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SecretFileError(message: "the file is no UTF-8", line: nil)
        }
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { line in
                let scalars = line.element.last == "\r" ? line.element.dropLast() : line.element
                return (number: line.offset + 1, text: String(String.UnicodeScalarView(scalars)))
            }
            .filter { !$0.text.isEmpty }
        guard !lines.isEmpty else { throw SecretFileError(message: "the file is empty", line: nil) }
        return lines
    }

    private func checkCount() throws(SecretFileError) {
        guard passwords.count + ntHashes.count <= Self.limit else {
            let message = "more than \(Self.limit) secrets: this verifies what is believed right, it does not search"
            throw SecretFileError(message: message, line: nil)
        }
    }

    /// Takes the keys of a keytab.
    ///
    /// - Throws: for a file that is no keytab.
    public mutating func readKeytab(_ file: [UInt8]) throws(SecretFileError) {
        do throws(DecodeError) {
            keytab += try KeytabEntry.entries(decoding: file[...])
        } catch {
            throw SecretFileError(message: error.description, line: nil)
        }
        guard !keytab.isEmpty else { throw SecretFileError(message: "the keytab has no keys", line: nil) }
    }
}
