import AuthScanBytes

/// A token68's bytes, taken from its base64 as far as that goes.
struct SchemeToken {
    /// The bytes; `nil` where the text is no base64 at all.
    let bytes: [UInt8]?
    /// What is wrong with the base64.
    let problem: FieldProblem?

    /// Decodes strictly, and once more without padding where only that is wrong: many receivers do the same.
    init(_ text: ArraySlice<UInt8>, offset: Int) {
        do throws(DecodeError) {
            bytes = try Base64.decode(text)
            problem = nil
        } catch {
            bytes = Base64.decodeIgnoringPadding(text)
            problem = FieldProblem(kind: .invalidBase64, message: error.reason, offset: offset + error.offset)
        }
    }
}

extension DecodeError {
    /// What is wrong, without field and offset.
    var reason: String {
        switch problem {
        case .truncated(let needed, let available): "\(field) needs \(needed) bytes, \(available) are left"
        case .invalidValue(let reason): "\(field): \(reason)"
        case .trailingBytes(let count): "\(count) bytes follow after \(field)"
        case .limitExceeded(let limit): "\(field) exceeds the limit of \(limit)"
        }
    }

    /// The fault as one of a field value that holds the bytes in base64 from `start` on.
    func inBase64(from start: Int) -> FieldProblem {
        FieldProblem(kind: .invalidToken, message: reason, offset: start + offset / 3 * 4)
    }
}
