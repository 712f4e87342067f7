import AuthScanBytes

/// A method or a protocol version of at most eight bytes, which nearly all of them fit: `PROPFIND` and `HTTP/1.1` just do.
///
/// A message costs no string of its own this way: a capture may hold hundreds of thousands.
struct ShortName: Hashable, Sendable {
    /// The name's bytes, the first one highest, zeros behind the last.
    private let letters: UInt64

    static let longest = 8

    // As numbers they need not be made when they are first asked for, nor looked for then.

    /// `GET`.
    static let get = ShortName(letters: 0x47_45_54_00_00_00_00_00)
    /// `POST`.
    static let post = ShortName(letters: 0x50_4F_53_54_00_00_00_00)
    /// `HEAD`.
    static let head = ShortName(letters: 0x48_45_41_44_00_00_00_00)
    /// `CONNECT`.
    static let connect = ShortName(letters: 0x43_4F_4E_4E_45_43_54_00)
    /// `HTTP/1.0`.
    static let http10 = ShortName(letters: 0x48_54_54_50_2F_31_2E_30)
    /// `HTTP/1.1`.
    static let http11 = ShortName(letters: 0x48_54_54_50_2F_31_2E_31)
    /// `HTTP/2`.
    static let http2 = ShortName(letters: 0x48_54_54_50_2F_32_00_00)

    /// No name.
    init() { letters = 0 }

    /// The bytes in a range of a span; what is beyond the longest name is cut.
    @inline(__always)
    init(_ bytes: RawSpan, _ range: Range<Int>) {
        let count = min(range.count, ShortName.longest)
        letters = count == 0 ? 0 : bytes.bigEndian(at: range.lowerBound, count: count)
    }

    private init(letters: UInt64) { self.letters = letters }

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
