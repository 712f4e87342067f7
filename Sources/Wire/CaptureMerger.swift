public import AuthScanBytes

/// Reads several files as one capture: their packets in the order of their times, each file's own order kept.
///
/// The caller opens files when they are asked for and hands their bytes over; `advance` merges as far as it can and says whose
/// bytes it needs next. A file is read from the moment on at which its first packet may come, so that the parts of a ring
/// buffer are read one after the other, and files of the same time side by side.
///
/// Packets are numbered as in the file that mergecap would make of them.
public struct CaptureMerger {
    /// The files that were not begun, the one whose first packet may come first at the end.
    private var waiting: [(file: Int, time: Timestamp)] = []
    private var isSorted = true
    /// The files that were begun and did not end.
    private var open: [Int] = []
    /// The files that had to wait for others although their packets came in between.
    private var late: Set<Int> = []
    private var files: [MergedFile?] = []
    /// The order in which files were opened.
    private var opened: [Int] = []
    private let limits: Limits

    /// Prepares a merge that keeps within the limits.
    public init(limits: Limits) { self.limits = limits }

    /// Adds a file whose first packet was captured at a time; `nil` has it read from the start.
    ///
    /// - Returns: The number that it is asked for by.
    public mutating func addFile(firstTime: Timestamp?) -> Int {
        waiting.append((files.count, firstTime ?? Timestamp(nanoseconds: .min)))
        isSorted = false
        files.append(nil)
        return files.count - 1
    }

    /// Begins a file that was asked for.
    public mutating func begin(_ file: Int, path: String, compression: String?) {
        waiting.removeAll { $0.file == file }
        open.append(file)
        files[file] = MergedFile(path: path, number: file, compression: compression, limits: limits)
        opened.append(file)
    }

    /// Takes the next bytes of a file; throws where its first bytes are no capture's, and gives the file up.
    public mutating func receive(_ bytes: [UInt8], of file: Int) throws(CaptureError) {
        do throws(CaptureError) {
            try files[file]?.receive(bytes)
        } catch {
            giveUp(file)
            throw error
        }
    }

    /// Gives a file up that cannot be read.
    public mutating func giveUp(_ file: Int) {
        waiting.removeAll { $0.file == file }
        open.removeAll { $0 == file }
        files[file] = nil
    }

    /// Ends a file; `damage` says what was wrong with its compression.
    ///
    /// - Throws: `CaptureError` where there was nothing in it, or too little to be a capture.
    public mutating func end(
        _ file: Int,
        damage: String?,
        into analysis: inout CaptureAnalysis
    ) throws(CaptureError) {
        open.removeAll { $0 == file }
        if let damage { files[file]?.note(.damagedCompression, damage) }
        do throws(CaptureError) {
            try files[file]?.end(into: &analysis)
        } catch {
            files[file] = nil
            throw error
        }
    }

    /// Merges as far as it can; returns the file that is to be begun, or whose next bytes are needed, `nil` when all have ended.
    public mutating func advance(into analysis: inout CaptureAnalysis) -> Int? {
        if !isSorted {
            waiting.sort { ($1.time, $1.file) < ($0.time, $0.file) }
            isSorted = true
        }
        while true {
            var first: (file: Int, time: Timestamp)?
            var limit = Timestamp(nanoseconds: .max)
            for file in open {
                guard let time = files[file]?.next?.time else { return file }
                if let known = first, (known.time, known.file) <= (time, file) {
                    limit = min(limit, time)
                } else {
                    if let first { limit = min(limit, first.time) }
                    first = (file, time)
                }
            }
            if let next = waiting.last, first.map({ next.time <= $0.time }) ?? true {
                if open.count < limits.openFiles { return next.file }
                late.insert(next.file)
            } else if let next = waiting.last {
                limit = min(limit, next.time)
            }
            guard let first else { return nil }
            files[first.file]?.take(upTo: limit, into: &analysis)
        }
    }

    /// Hands the summaries of the files over, in the order in which they were begun.
    public mutating func finish(into analysis: inout CaptureAnalysis) {
        analysis.result.files += opened.compactMap { files[$0]?.summary }
        analysis.result.places.paths = files.map { $0?.path ?? "" }
        guard let file = late.min(), let path = files[file]?.path else { return }
        analysis.reader.problems.append(
            CaptureProblem(
                kind: .limitReached,
                file: path,
                packet: nil,
                offset: nil,
                message:
                    "more than \(limits.openFiles) files overlap in time: \(late.count) of them are read behind others"
            )
        )
    }
}
