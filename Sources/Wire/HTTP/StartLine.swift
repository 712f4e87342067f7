import AuthScanNativeCodecs

/// What the first bytes of a stream, or of a message, look like.
enum Opening {
    /// `method SP request-target SP HTTP/1.x`.
    case request
    /// `HTTP/1.x SP status`.
    case response
    /// A TLS record.
    case tls
    /// The connection preface of HTTP/2.
    case http2
    /// The bytes so far could become a request or status line.
    case undecided
    /// Something else.
    case other
}

/// Tells HTTP/1 start lines from everything else.
///
/// - Source: RFC 9112 §3 and §4; RFC 9113 §3.4; RFC 8446 §5.1.
enum StartLine {
    /// The longest start line that is waited for, in bytes; request targets of this size are refused by every server.
    static let maximumLength = 1 << 16

    /// The longest method that is waited for; the longest registered one has 17 letters.
    private static let maximumMethodLength = 32

    /// ` HTTP/1.` as it stands before the last digit of a request line, the first byte highest.
    static let versionWord: UInt64 = 0x20_48_54_54_50_2F_31_2E

    /// `HTTP/1.` as a status line begins, the first byte highest.
    private static let responseWord: UInt64 = 0x48_54_54_50_2F_31_2E

    /// `GET `, the first byte highest.
    private static let getWord: UInt32 = 0x47_45_54_20

    private static let http2Preface: StaticString = "PRI * HTTP/2.0\r\n"

    /// What starts at `start`.
    static func opening(_ bytes: RawSpan, from start: Int) -> Opening {
        let count = bytes.byteCount - start
        guard count > 0 else { return .undecided }
        let first = bytes.byte(start)
        if (0x14...0x17).contains(first) { return tlsOpening(bytes, from: start, count) }
        if first & 0x80 != 0 { return oldHelloOpening(bytes, from: start, count) }
        if first == 0x48, let response = responseOpening(bytes, from: start, count) { return response }
        if first == 0x50, bytes.holds(http2Preface, at: start, isPrefix: true) {
            return count >= http2Preface.utf8CodeUnitCount ? .http2 : .undecided
        }
        return requestOpening(bytes, from: start)
    }

    /// A record of type 20 to 23, of a version 3.x, and of a length that records have.
    private static func tlsOpening(_ bytes: RawSpan, from start: Int, _ count: Int) -> Opening {
        guard count >= 5 else { return count >= 2 && bytes.byte(start + 1) != 3 ? .other : .undecided }
        let length = Int(bytes.bigEndian16(start + 3))
        let isRecord =
            bytes.byte(start + 1) == 3 && bytes.byte(start + 2) <= 4 && (1...(1 << 14) + 2048).contains(length)
        return isRecord ? .tls : .other
    }

    /// A ClientHello in the framing of SSL 2.0, as clients sent it that could do more.
    ///
    /// - Source: RFC 5246 §E.2.
    private static func oldHelloOpening(_ bytes: RawSpan, from start: Int, _ count: Int) -> Opening {
        guard count >= 5 else { return count >= 3 && bytes.byte(start + 2) != 1 ? .other : .undecided }
        return TLSDirection.oldHelloLength(bytes, at: start) == nil ? .other : .tls
    }

    /// `nil` where the bytes may still be a request whose method starts with H.
    private static func responseOpening(_ bytes: RawSpan, from start: Int, _ count: Int) -> Opening? {
        guard count >= 12 else { return bytes.holds("HTTP/1.", at: start, isPrefix: true) ? .undecided : nil }
        guard bytes.bigEndian64(start) >> 8 == responseWord else { return nil }
        let isStatus =
            isDigit(bytes.byte(start + 7)) && bytes.byte(start + 8) == 0x20 && isDigit(bytes.byte(start + 9))
            && isDigit(bytes.byte(start + 10)) && isDigit(bytes.byte(start + 11))
        return isStatus ? .response : .other
    }

    /// A token, a space, a target without control characters, and `HTTP/1.x` at the end of the line.
    private static func requestOpening(_ bytes: RawSpan, from start: Int) -> Opening {
        // Nearly always, and not to be looked at byte by byte.
        var offset = bytes.byteCount - start >= 4 && bytes.bigEndian32(start) == getWord ? start + 3 : start
        while offset < bytes.byteCount, isTokenCharacter(bytes.byte(offset)) {
            offset += 1
            if offset - start > maximumMethodLength { return .other }
        }
        guard offset < bytes.byteCount else { return .undecided }
        guard offset > start, bytes.byte(offset) == 0x20 else { return .other }
        guard let lineFeed = bytes.firstIndex(of: 0x0A, from: offset) else {
            let isTooLong = bytes.byteCount - start > maximumLength
            return isTooLong || hasControlCharacter(bytes, offset..<bytes.byteCount) ? .other : .undecided
        }
        return endsWithVersion(bytes, offset..<lineFeed) ? .request : .other
    }

    /// Whether a request line ends in ` HTTP/1.x`, with an optional carriage return.
    private static func endsWithVersion(_ bytes: RawSpan, _ line: Range<Int>) -> Bool {
        var end = line.upperBound
        while end > line.lowerBound, bytes.byte(end - 1) == 0x0D || bytes.byte(end - 1) == 0x20 { end -= 1 }
        let start = end - 9
        // A target lies between the space behind the method and the one before the version.
        guard start > line.lowerBound + 1, isDigit(bytes.byte(end - 1)) else { return false }
        return bytes.bigEndian64(start) == versionWord
    }

    private static func hasControlCharacter(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        for offset in range.prefix(256) where bytes.byte(offset) < 0x20 && bytes.byte(offset) != 0x0D { return true }
        return false
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// A character of a token.
    ///
    /// - Source: RFC 9110 §5.6.2.
    @inline(__always)
    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        if (byte | 0x20) &- 0x61 < 26 || isDigit(byte) { return true }
        switch byte {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: return true
        default: return false
        }
    }
}
