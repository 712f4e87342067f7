internal import CLibcrypto

/// A keyed hash (HMAC) that takes its key in once for many messages: the safe face of libcrypto's digests.
///
/// - Source: RFC 2104.
public struct KeyedHash {
    private let function: HashFunction
    private let inner: DigestState
    private let outer: DigestState
    private let current: DigestState

    /// Takes the key in; `nil` where libcrypto refuses the function, as a FIPS build does with MD5.
    public init?(_ function: HashFunction, key: [UInt8]) {
        // RFC 2104 §3: a key that is longer than a block is hashed first.
        var block = key.count > function.blockBytes ? function.digest(of: key) : key
        block += [UInt8](repeating: 0, count: function.blockBytes - block.count)
        guard let inner = DigestState(function, behind: block.map { $0 ^ 0x36 }),
            let outer = DigestState(function, behind: block.map { $0 ^ 0x5C }), let current = DigestState()
        else { return nil }
        self.function = function
        self.inner = inner
        self.outer = outer
        self.current = current
    }

    /// The keyed hash of a message.
    public func hash(of message: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: function.byteCount)
        let isDone =
            current.finish(message, behind: inner, into: &output)
            && current.finish(output, behind: outer, into: &output)
        return isDone ? output : []
    }
}

/// How far the hash of a message has come.
@safe
private final class DigestState {
    // SAFETY: the context is owned by this object alone, from `init` to `deinit`.
    private let context: OpaquePointer

    /// A state to copy others into; `nil` where libcrypto has no memory.
    init?() {
        // SAFETY: libcrypto returns a context or nothing.
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        unsafe self.context = unsafe context
    }

    /// The state behind the first bytes of a message; `nil` where libcrypto refuses the function.
    convenience init?(_ function: HashFunction, behind start: [UInt8]) {
        self.init()
        // SAFETY: the context is fresh, and libcrypto reads the bytes alone.
        guard unsafe EVP_DigestInit_ex(context, function.algorithm, nil) == 1,
            unsafe EVP_DigestUpdate(context, start, start.count) == 1
        else { return nil }
    }

    deinit {
        // SAFETY: nobody uses the context any more.
        unsafe EVP_MD_CTX_free(context)
    }

    /// Ends the message that began with `start` in this state's place; writes the hash over `output`, which must have its length.
    func finish(_ message: [UInt8], behind start: DigestState, into output: inout [UInt8]) -> Bool {
        var count: UInt32 = 0
        // SAFETY: both contexts live, and libcrypto reads the message alone; the hash is as long as the output, see `KeyedHash`.
        return unsafe EVP_MD_CTX_copy_ex(context, start.context) == 1
            && EVP_DigestUpdate(context, message, message.count) == 1
            && EVP_DigestFinal_ex(context, &output, &count) == 1
    }
}
