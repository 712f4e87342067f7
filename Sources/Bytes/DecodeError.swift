/// Captured bytes that do not follow the format they claim to have.
public struct DecodeError: Error, Hashable, Sendable {
    /// What is wrong with the bytes.
    public enum Problem: Hashable, Sendable {
        /// A field needs more bytes than its message has left.
        case truncated(needed: Int, available: Int)
        /// A field holds a value its specification does not allow; the text says which, in a few words.
        case invalidValue(String)
        /// Bytes follow where the message should have ended.
        case trailingBytes(count: Int)
        /// A structure is nested deeper, or is longer, than the decoder follows.
        case limitExceeded(limit: Int)
    }

    /// What is wrong with the bytes.
    public let problem: Problem

    /// The field's name, spelled as in its specification.
    public let field: String

    /// Where the field starts, in bytes from the start of the message.
    public let offset: Int

    /// Creates an error about one field.
    public init(_ problem: Problem, _ field: String, offset: Int) {
        self.problem = problem
        self.field = field
        self.offset = offset
    }
}

extension DecodeError: CustomStringConvertible {
    /// One phrase a person can act on: the field, where it is, what is wrong with it.
    public var description: String {
        switch problem {
        case .truncated(let needed, let available):
            "\(field) at offset \(offset) needs \(needed) bytes, \(available) are left"
        case .invalidValue(let reason): "\(field) at offset \(offset): \(reason)"
        case .trailingBytes(let count): "\(count) bytes after the end of \(field) at offset \(offset)"
        case .limitExceeded(let limit): "\(field) at offset \(offset) exceeds the limit of \(limit)"
        }
    }
}
