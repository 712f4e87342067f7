import AuthScanBytes

/// A method or a protocol version of at most eight bytes, which nearly all of them fit: `PROPFIND` and `HTTP/1.1` just do.
///
/// A message costs no string of its own this way: a capture may hold hundreds of thousands.
struct ShortName: Hashable, Sendable {
    /// The name's bytes, the first one highest, zeros behind the last.
    private let letters: UInt64

    static let longest = 8

    static let get = ShortName("GET")
    static let post = ShortName("POST")
    static let head = ShortName("HEAD")
    static let connect = ShortName("CONNECT")
    static let http10 = ShortName("HTTP/1.0")
    static let http11 = ShortName("HTTP/1.1")
    static let http2 = ShortName("HTTP/2")

    /// No name.
    init() { letters = 0 }

    /// The bytes in a range of a span; what is beyond the longest name is cut.
    @inline(__always)
    init(_ bytes: RawSpan, _ range: Range<Int>) {
        let count = min(range.count, ShortName.longest)
        letters = count == 0 ? 0 : bytes.bigEndian(at: range.lowerBound, count: count)
    }

    private init(_ text: StaticString) {
        letters = text.withBytes { $0.bigEndian(at: 0, count: $0.byteCount) }
    }

    var isEmpty: Bool { letters == 0 }

    /// The name as text; bytes that are no UTF-8 are ISO 8859-1.
    var text: String {
        if self == .get { return "GET" }
        if self == .post { return "POST" }
        if self == .http11 { return "HTTP/1.1" }
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: letters >> (56 - 8 * $0)) }
        return fieldText(bytes.prefix { $0 != 0 })
    }
}
