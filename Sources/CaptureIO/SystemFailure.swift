#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Why a system call failed.
public struct SystemFailure: Sendable {
    /// The number of the error, as in `errno`.
    public let number: Int32

    /// The failure of the last call.
    public static var last: SystemFailure { SystemFailure(number: errno) }

    /// What it means, in the system's words.
    public var words: String {
        // SAFETY: strerror returns a string that stays valid until its next call, and is copied here.
        unsafe String(cString: strerror(number))
    }
}

/// Writes bytes to an open file, however many calls that takes; `nil` where all of them were written.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> SystemFailure? {
    var rest = bytes[...]
    while !rest.isEmpty {
        // SAFETY: write(2) reads at most as many bytes as the buffer has.
        let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return .last }
        rest = rest.dropFirst(count)
    }
    return nil
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
        unsafe Darwin.write(descriptor, bytes, count)
    #else
        unsafe Glibc.write(descriptor, bytes, count)
    #endif
}
