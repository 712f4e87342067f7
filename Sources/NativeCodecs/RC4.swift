/// The stream cipher RC4, which NTLM, old Kerberos and old TLS use; libcrypto 3 has it in its legacy provider alone.
///
/// - Source: RFC 6229 (test vectors); the algorithm as published in 1994.
public enum RC4 {
    /// Encrypts or decrypts, which are the same; the key has 1 to 256 bytes.
    public static func apply(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        guard var keystream = RC4Keystream(key: key) else { return [] }
        return zip(bytes, keystream.next(bytes.count)).map { $0 ^ $1 }
    }
}

/// What RC4 adds to the bytes of a stream, one after the other.
public struct RC4Keystream: Sendable {
    private var state: [UInt8]
    private var first: UInt8 = 0
    private var second: UInt8 = 0

    /// Starts at the beginning of the stream; `nil` where the key has not 1 to 256 bytes.
    public init?(key: [UInt8]) {
        guard (1...256).contains(key.count) else { return nil }
        state = (0..<256).map { UInt8($0) }
        var second: UInt8 = 0
        for first in 0..<256 {
            second = second &+ state[first] &+ key[first % key.count]
            state.swapAt(first, Int(second))
        }
    }

    /// The next so many bytes.
    public mutating func next(_ count: Int) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: max(0, count))
        for index in output.indices {
            first = first &+ 1
            second = second &+ state[Int(first)]
            state.swapAt(Int(first), Int(second))
            output[index] = state[Int(state[Int(first)] &+ state[Int(second)])]
        }
        return output
    }
}
