#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import AuthScanCaptureIO
import AuthScanReport

/// Where commands print; tests put a string in its place.
protocol Console {
    /// Whether standard error is a terminal, so that progress may be shown there.
    var isErrorTerminal: Bool { get }

    /// Whether standard output is a terminal whose user wants colours.
    var isColourTerminal: Bool { get }

    /// Prints to standard output what `render` hands out piece by piece; `false` where that failed, and the user was told.
    mutating func print(pieces render: (_ write: ([UInt8]) -> Bool) -> Void) -> Bool

    /// Prints to standard error, where nobody minds if that fails.
    mutating func printError(_ text: String)

    /// All of standard input.
    mutating func readInput() -> String

    /// Writes what `render` hands out piece by piece to a file; `false` where that failed, and the user was told.
    mutating func write(toFile path: String, pieces render: (_ write: ([UInt8]) -> Bool) -> Void) -> Bool

    /// The bytes of a small file; `nil` where it cannot be read, or has more than a megabyte.
    func read(file path: String) -> [UInt8]?

    /// Whether a file is there and may be read.
    func canRead(_ path: String) -> Bool

    /// Whether two paths name the same file that exists, under whatever names.
    func isSameFile(_ path: String, _ other: String) -> Bool

    /// Keeps a report as long as the console lasts.
    mutating func keep(_ report: Report)
}

extension Console {
    /// Prints to standard output; `false` where that failed, and the user was told.
    mutating func print(_ bytes: [UInt8]) -> Bool { print(pieces: { _ = $0(bytes) }) }

    mutating func print(_ text: String) -> Bool { print(Array(text.utf8)) }

    /// Says what is wrong, on standard error; file names and arguments may be part of the message.
    mutating func complain(_ message: String) {
        printError("\(Report.toolName): \(PrintableText.visible(message, limit: .max))\n")
    }
}

/// The terminal, or whatever standard output and standard error are.
struct SystemConsole: Console {
    /// Reports that last until the process ends: to take one apart value by value takes longer than to end the process.
    private var reports: [Report] = []

    var isErrorTerminal: Bool { isatty(2) == 1 }

    var isColourTerminal: Bool {
        // SAFETY: getenv returns nil or a string; only whether it is empty is looked at.
        let noColour = unsafe getenv("NO_COLOR").map { unsafe $0.pointee != 0 } ?? false
        return isatty(1) == 1 && !noColour
    }

    mutating func print(pieces render: (_ write: ([UInt8]) -> Bool) -> Void) -> Bool {
        // A reader that has seen enough (`authscan x | head`) is no error worth words.
        guard let failure = SystemConsole.write(render, to: 1), failure.number != EPIPE else { return true }
        complain("standard output: \(failure.words)")
        return false
    }

    mutating func printError(_ text: String) { _ = writeAll(Array(text.utf8), to: 2) }

    /// Prints to standard error in the middle of the work, when the console itself is lent to it.
    static func printProgress(_ text: String) { _ = writeAll(Array(text.utf8), to: 2) }

    mutating func keep(_ report: Report) { reports.append(report) }

    mutating func readInput() -> String { String(decoding: SystemConsole.read(0, limit: 1 << 24), as: UTF8.self) }

    func read(file path: String) -> [UInt8]? {
        // SAFETY: the path is passed as a C string that lives for the length of the call.
        let descriptor = unsafe open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = SystemConsole.read(descriptor, limit: 1 << 20)
        return bytes.count <= 1 << 20 ? bytes : nil
    }

    /// What a descriptor gives, up to a block more than the limit.
    private static func read(_ descriptor: Int32, limit: Int) -> [UInt8] {
        var input: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while input.count <= limit {
            // SAFETY: read(2) writes at most as many bytes as the buffer has.
            let count = unsafe block.withUnsafeMutableBytes { unsafe system(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            input += block[..<count]
        }
        return input
    }

    private static func system(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.read(descriptor, bytes, count)
        #else
            unsafe Glibc.read(descriptor, bytes, count)
        #endif
    }

    /// A report holds user names and hosts: only its owner may read it.
    mutating func write(toFile path: String, pieces render: (_ write: ([UInt8]) -> Bool) -> Void) -> Bool {
        let descriptor = openPrivately(path: path)
        var failure = descriptor < 0 ? SystemFailure.last : nil
        if descriptor >= 0 {
            failure = SystemConsole.write(render, to: descriptor)
            if close(descriptor) != 0 { failure = failure ?? SystemFailure.last }
        }
        if let failure { complain("\(path): \(failure.words)") }
        return failure == nil
    }

    func canRead(_ path: String) -> Bool {
        // SAFETY: the path is passed as a C string that lives for the length of the call.
        unsafe access(path, R_OK) == 0
    }

    func isSameFile(_ path: String, _ other: String) -> Bool {
        var first = stat()
        var second = stat()
        // SAFETY: the paths are C strings for the length of the call; the structures are plain data that stat fills in.
        guard unsafe stat(path, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Writes what `render` hands out; `nil` where all of it was written.
    private static func write(
        _ render: (_ write: ([UInt8]) -> Bool) -> Void,
        to descriptor: Int32
    ) -> SystemFailure? {
        var failure: SystemFailure?
        render { bytes in
            if failure == nil { failure = writeAll(bytes, to: descriptor) }
            return failure == nil
        }
        return failure
    }
}
