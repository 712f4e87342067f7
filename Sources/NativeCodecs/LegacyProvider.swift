internal import CLibcrypto

/// The block ciphers that libcrypto 3 has in its legacy provider alone, which a system may lack.
///
/// The provider is loaded when one of them is first asked for, into a library context of its own: nothing else in the process is to
/// get old algorithms by it.
///
/// - Source: the manual pages OSSL_PROVIDER-legacy(7) and OSSL_LIB_CTX(3).
enum LegacyProvider {
    // SAFETY: fetched once, not freed, and constant.
    nonisolated(unsafe) static let rc2CBC = unsafe cipher("RC2-CBC")
    nonisolated(unsafe) static let seedCBC = unsafe cipher("SEED-CBC")

    // SAFETY: made once and not freed; libcrypto locks what it changes in it.
    nonisolated(unsafe) private static let context = unsafe makeContext()

    private static func makeContext() -> OpaquePointer? {
        // SAFETY: libcrypto returns a context or nothing; it is freed where the provider cannot be loaded into it.
        guard let context = unsafe OSSL_LIB_CTX_new() else { return nil }
        if unsafe OSSL_PROVIDER_load(context, "legacy") != nil { return unsafe context }
        unsafe OSSL_LIB_CTX_free(context)
        return nil
    }

    private static func cipher(_ name: String) -> OpaquePointer? {
        // SAFETY: libcrypto reads the name, and returns a cipher that is ours, or nothing.
        unsafe context.flatMap { unsafe EVP_CIPHER_fetch($0, name, nil) }
    }
}
