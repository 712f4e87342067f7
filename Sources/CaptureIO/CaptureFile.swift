#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import AuthScanNativeCodecs
public import AuthScanWire

/// Reads a capture file, or standard input for `-`, into an analysis; gzip is recognised by its content.
///
/// Damage further on is noted in the analysis, and what lies before it is analysed.
///
/// - Parameters:
///   - path: The file's path, or `-`.
///   - analysis: What takes the bytes.
///   - progress: Called after each block with the number of bytes read of the file, and its size where that is known.
/// - Throws: `CaptureError` where nothing of it can be read as a capture.
public func readCapture(
    path: String,
    into analysis: inout CaptureAnalysis,
    progress: ((_ bytesRead: Int, _ size: Int?) -> Void)? = nil
) throws(CaptureError) {
    let file = try CaptureFile(path: path)
    var block: [UInt8] = []
    try file.read(into: &block)
    let isCompressed = block.starts(with: [0x1F, 0x8B])
    analysis.beginFile(path: path, compression: isCompressed ? "gzip" : nil)
    if isCompressed {
        try inflate(file, from: block, into: &analysis, progress)
    } else {
        while !block.isEmpty {
            try analysis.receive(block)
            progress?(file.bytesRead, file.size)
            try file.read(into: &block)
        }
    }
    try analysis.endFile()
}

/// The earliest time stamp in the first block of a file, to put the parts of a capture in order.
///
/// `nil` where the file cannot be read, is a pipe, or has no packet there.
public func firstTimestamp(of path: String) -> Timestamp? {
    // Whatever is wrong with the file is said when it is read in full.
    guard path != "-", let file = try? CaptureFile(path: path), file.size != nil else { return nil }
    var analysis = CaptureAnalysis()
    var block: [UInt8] = []
    do throws(CaptureError) {
        try file.read(into: &block)
        analysis.beginFile(path: path, compression: nil)
        if block.starts(with: [0x1F, 0x8B]) {
            try inflateBlock(block, into: &analysis)
        } else {
            try analysis.receive(block)
        }
    } catch {
        return nil
    }
    return analysis.finish().firstTime
}

private func inflateBlock(_ block: [UInt8], into analysis: inout CaptureAnalysis) throws(CaptureError) {
    do {
        try Inflater().inflate(block) { (part) throws(CaptureError) in try analysis.receive(Array(part)) }
    } catch let error as CaptureError {
        throw error
    } catch {
        // Damage further on does not matter here: the packets before it were taken.
        return
    }
}

private func inflate(
    _ file: CaptureFile,
    from first: [UInt8],
    into analysis: inout CaptureAnalysis,
    _ progress: ((Int, Int?) -> Void)?
) throws(CaptureError) {
    do {
        let inflater = try Inflater()
        var block = first
        while !block.isEmpty {
            try inflater.inflate(block) { (part) throws(CaptureError) in try analysis.receive(Array(part)) }
            progress?(file.bytesRead, file.size)
            try file.read(into: &block)
        }
        if !inflater.isAtMemberEnd {
            analysis.note(.damagedCompression, "the compressed file ends in the middle of its data")
        }
    } catch let error as CaptureError {
        throw error
    } catch Inflater.Failure.damaged(let reason) {
        analysis.note(.damagedCompression, "the compressed data are damaged (\(reason)); the rest is not read")
    } catch {
        throw CaptureError(path: file.path, reason: .unreadable("out of memory"))
    }
}

/// An open file, read front to back in blocks.
final class CaptureFile {
    let path: String
    private let descriptor: Int32
    /// The file's size in bytes; `nil` for pipes and the like.
    let size: Int?
    private(set) var bytesRead = 0

    /// As fast as mapping the file, works for pipes too, and survives a file that shrinks while it is read.
    private static let blockSize = 1 << 18

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
        let number = errno
        switch number {
        case ENOENT, ENOTDIR: return CaptureError(path: path, reason: .missing)
        case EACCES, EPERM: return CaptureError(path: path, reason: .permissionDenied)
        case EISDIR: return CaptureError(path: path, reason: .isDirectory)
        default:
            // SAFETY: strerror returns a string that stays valid until its next call, and is copied here.
            let text = unsafe String(cString: strerror(number))
            return CaptureError(path: path, reason: .unreadable(text))
        }
    }
}
