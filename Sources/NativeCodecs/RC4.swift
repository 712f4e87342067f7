/// The stream cipher RC4, which NTLM and old Kerberos use; libcrypto 3 has it in its legacy provider alone.
///
/// - Source: RFC 6229 (test vectors); the algorithm as published in 1994.
public enum RC4 {
    /// Encrypts or decrypts, which are the same; the key has 1 to 256 bytes.
    public static func apply(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        guard (1...256).contains(key.count) else { return [] }
        var state = (0..<256).map { UInt8($0) }
        var second: UInt8 = 0
        for first in 0..<256 {
            second = second &+ state[first] &+ key[first % key.count]
            state.swapAt(first, Int(second))
        }
        var first: UInt8 = 0
        second = 0
        return bytes.map { byte in
            first = first &+ 1
            second = second &+ state[Int(first)]
            state.swapAt(Int(first), Int(second))
            return byte ^ state[Int(state[Int(first)] &+ state[Int(second)])]
        }
    }
}
