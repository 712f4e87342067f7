import AuthScanProof

/// The files of secrets that the user names; a secret itself never stands on a command line, where others could read it.
struct SecretFiles: Equatable {
    var passwords: String?
    var ntHashes: String?
    var keytab: String?

    static let names = ["--password-file", "--nt-hash-file", "--keytab"]

    var paths: [String] { [passwords, ntHashes, keytab].compactMap { $0 } }

    /// Takes an option, if it is one of these.
    mutating func take(
        _ name: String,
        _ value: String?,
        _ reader: inout ArgumentReader
    ) throws(UsageError) -> Bool {
        switch name {
        case "--password-file": passwords = try reader.value(of: name, value)
        case "--nt-hash-file": ntHashes = try reader.value(of: name, value)
        case "--keytab": keytab = try reader.value(of: name, value)
        case "--password", "--nt-hash":
            throw UsageError("\(name) would show the secret to others on this machine; use \(name)-file FILE")
        default: return false
        }
        return true
    }

    /// Reads the files; `nil` where one cannot be used, and the user was told.
    func read(_ console: inout some Console) -> KnownSecrets? {
        var secrets = KnownSecrets()
        let readers: [(String?, (inout KnownSecrets, [UInt8]) throws(SecretFileError) -> Void)] = [
            (passwords, { secrets, bytes throws(SecretFileError) in try secrets.readPasswords(bytes) }),
            (ntHashes, { secrets, bytes throws(SecretFileError) in try secrets.readNTHashes(bytes) }),
            (keytab, { secrets, bytes throws(SecretFileError) in try secrets.readKeytab(bytes) }),
        ]
        for (path, reader) in readers {
            guard let path else { continue }
            guard let bytes = console.read(file: path) else {
                console.complain("\(path): the file of secrets cannot be read")
                return nil
            }
            do throws(SecretFileError) {
                try reader(&secrets, bytes)
            } catch {
                let line = error.line.map { ", line \($0)" } ?? ""
                console.complain("\(path)\(line): \(error.message)")
                return nil
            }
        }
        return secrets
    }
}
