/// What is wrong with a transcript, and in which line.
public struct TranscriptError: Error, Hashable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int

    /// What is wrong with it, in one sentence without a full stop.
    public let reason: String

    /// `line 3: no token 'FOO'`.
    public var description: String { "line \(line): \(reason)" }
}
