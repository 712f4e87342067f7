#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import AuthScanWire

/// An open file, read front to back in blocks.
final class CaptureFile {
    let path: String
    private let descriptor: Int32
    /// The file's size in bytes; `nil` for pipes and the like.
    let size: Int?
    private(set) var bytesRead = 0

    /// As fast as mapping the file, works for pipes too, and survives a file that shrinks while it is read.
    private static let blockSize = 1 << 17

    init(path: String) throws(CaptureError) {
        self.path = path
        // SAFETY: the path is passed as a C string that lives for the length of the call.
        descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY)
        guard descriptor >= 0 else { throw CaptureFile.error(path) }
        var status = stat()
        // SAFETY: the structure is plain data that fstat fills in.
        guard unsafe fstat(descriptor, &status) == 0 else { throw CaptureFile.error(path) }
        let kind = status.st_mode & S_IFMT
        if kind == S_IFDIR { throw CaptureError(path: path, reason: .isDirectory) }
        size = kind == S_IFREG ? Int(status.st_size) : nil
    }

    deinit { if descriptor > 0 { close(descriptor) } }

    /// Fills `block` with the next bytes; leaves it short, or empty, at the end alone.
    ///
    /// A pipe hands over less at a time: it is read until the block is full, so that the block is not made anew each time.
    func read(into block: inout [UInt8]) throws(CaptureError) {
        if block.count != CaptureFile.blockSize { block = [UInt8](repeating: 0, count: CaptureFile.blockSize) }
        var filled = 0
        while filled < block.count {
            // SAFETY: read(2) writes at most as many bytes as are left of the buffer behind those that are filled.
            let count = unsafe block.withUnsafeMutableBytes { buffer in
                unsafe Self.system(descriptor, buffer.baseAddress.map { unsafe $0 + filled }, buffer.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw CaptureFile.error(path) }
            if count == 0 { break }
            filled += count
        }
        bytesRead += filled
        block.removeLast(block.count - filled)
    }

    private static func system(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.read(descriptor, buffer, count)
        #else
            unsafe Glibc.read(descriptor, buffer, count)
        #endif
    }

    /// What the last system call's error number means for a reader of captures.
    private static func error(_ path: String) -> CaptureError {
        let failure = SystemFailure.last
        switch failure.number {
        case ENOENT, ENOTDIR: return CaptureError(path: path, reason: .missing)
        case EACCES, EPERM: return CaptureError(path: path, reason: .permissionDenied)
        case EISDIR: return CaptureError(path: path, reason: .isDirectory)
        default: return CaptureError(path: path, reason: .unreadable(failure.words))
        }
    }
}
