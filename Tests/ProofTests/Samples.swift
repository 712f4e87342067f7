import AuthScanBytes

/// Bytes written as hexadecimal digits, with white space between them.
func hex(_ digits: String) throws -> [UInt8] { try Hex.decode(Array(digits.utf8).filter { $0 > 0x20 }) }

extension Secret {
    /// The content, for comparison.
    var revealed: Content { withRevealed { $0 } }
}
