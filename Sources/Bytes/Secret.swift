/// A value that never reaches output by accident: printing it shows its size alone.
public struct Secret<Content: Sendable & Hashable>: Hashable, Sendable {
    private let content: Content

    /// The size that a redacted rendering states, in bytes.
    public let byteCount: Int

    /// Wraps content whose size is known otherwise.
    public init(_ content: Content, byteCount: Int) {
        self.content = content
        self.byteCount = byteCount
    }

    /// Hands the content to `body`, the one way to reach it.
    public func withRevealed<Result>(_ body: (Content) throws -> Result) rethrows -> Result {
        try body(content)
    }
}

extension Secret where Content: Collection, Content.Element == UInt8 {
    /// Wraps bytes.
    public init(_ content: Content) { self.init(content, byteCount: content.count) }
}

extension Secret where Content == String {
    /// Wraps text; its size is that of its UTF-8 form.
    public init(_ content: String) { self.init(content, byteCount: content.utf8.count) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The redacted form.
    public var description: String { "‹redacted, \(byteCount) bytes›" }

    /// The redacted form: debuggers and `dump` see no more than `print`.
    public var debugDescription: String { description }

    /// No children: reflection must not reach the content.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
