public import AuthScanBytes
import AuthScanNativeCodecs
public import AuthScanWire

/// Reads a capture file, or standard input for `-`, into an analysis; gzip, zstd and lz4 are recognised by their content.
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
    let source = try BlockReader(path: path)
    defer { source.abandon() }
    analysis.beginFile(path: path, compression: source.compression?.rawValue)
    var block: [UInt8] = []
    reading: while true {
        let bytesRead: Int
        switch source.next(recycling: &block) {
        case .block(let next, let count): (block, bytesRead) = (next, count)
        case .failure(let error): throw error
        case .end(let damage):
            if let damage { analysis.note(.damagedCompression, damage) }
            break reading
        }
        block = try analysis.receive(block)
        progress?(bytesRead, source.size)
    }
    try analysis.endFile()
}

/// Reads several files as one capture: their packets in the order of their times, whatever files they come from.
///
/// A file whose first time stamp cannot be told beforehand, as with pipes, is read from the start along with the others.
///
/// - Parameters:
///   - paths: The files' paths; `-` is standard input.
///   - analysis: What takes the packets; its limits are those given here.
///   - limits: How many files are read side by side.
///   - progress: Called after each block with its file's path, the number of bytes read of it, and its size where known.
/// - Returns: What is wrong with the files of which nothing could be read, in the order in which it was met.
public func readCaptures(
    paths: [String],
    into analysis: inout CaptureAnalysis,
    limits: Limits,
    progress: ((_ path: String, _ bytesRead: Int, _ size: Int?) -> Void)? = nil
) -> [CaptureError] {
    var merger = CaptureMerger(limits: limits)
    for path in paths { _ = merger.addFile(firstTime: firstTimestamp(of: path)) }
    var sources: [Int: CaptureSource] = [:]
    var failures: [CaptureError] = []
    while let file = merger.advance(into: &analysis) {
        do throws(CaptureError) {
            let source: CaptureSource
            if let open = sources[file] {
                source = open
            } else {
                source = try CaptureSource(path: paths[file])
                sources[file] = source
                merger.begin(file, path: paths[file], compression: source.compression?.rawValue)
            }
            var block: [UInt8] = []
            try source.read(into: &block)
            if block.isEmpty {
                sources[file] = nil
                try merger.end(file, damage: source.damage, into: &analysis)
            } else {
                try merger.receive(block, of: file)
                progress?(paths[file], source.file.bytesRead, source.file.size)
            }
        } catch {
            failures.append(error)
            sources[file] = nil
            merger.giveUp(file)
        }
    }
    merger.finish(into: &analysis)
    return failures
}

/// The earliest time stamp in the first block of a file, to put the parts of a capture in order.
///
/// `nil` where the file cannot be read, is a pipe, or has no packet there.
func firstTimestamp(of path: String) -> Timestamp? {
    // Whatever is wrong with the file is said when it is read in full.
    guard path != "-", let source = try? CaptureSource(path: path), source.file.size != nil else { return nil }
    var analysis = CaptureAnalysis()
    var block: [UInt8] = []
    do throws(CaptureError) {
        try source.read(into: &block)
        analysis.beginFile(path: path, compression: nil)
        try analysis.receive(block)
    } catch {
        return nil
    }
    return analysis.finish().firstTime
}
