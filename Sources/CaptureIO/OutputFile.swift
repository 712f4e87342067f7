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
        guard descriptor >= 0 else { throw CaptureError(path: path, reason: .unwritable(SystemFailure.last.words)) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends bytes; returns what went wrong, in the system's words.
    func write(_ bytes: [UInt8]) -> String? { writeAll(bytes, to: descriptor)?.words }
}
