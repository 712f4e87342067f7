import AuthScanWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file that captured packets are written to; they may hold credentials, so only its owner may read it.
final class OutputFile {
    private let descriptor: Int32

    init(path: String) throws(CaptureError) {
        descriptor = openPrivately(path: path)
        guard descriptor >= 0 else {
            throw CaptureError(path: path, reason: .unwritable(OutputFile.lastError))
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends bytes; returns what went wrong, in the system's words.
    func write(_ bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            // SAFETY: write(2) reads at most as many bytes as the buffer has.
            let count = unsafe rest.withUnsafeBytes { unsafe OutputFile.system(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return OutputFile.lastError }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    private static var lastError: String {
        // SAFETY: strerror returns a string that stays valid until its next call, and is copied here.
        unsafe String(cString: strerror(errno))
    }

    private static func system(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.write(descriptor, bytes, count)
        #else
            unsafe Glibc.write(descriptor, bytes, count)
        #endif
    }
}
