/// The name of a protocol version in eight bytes, which `HTTP/1.1` just fills; a longer name is cut.
struct VersionName: Hashable, Sendable {
    /// The name's bytes, the first one lowest, zeros behind the last.
    private let letters: UInt64

    /// `HTTP/1.1`.
    private static let http11: UInt64 = 0x312E_312F_5054_5448

    init(_ text: String) {
        if text == "HTTP/1.1" {
            letters = VersionName.http11
            return
        }
        letters = text.utf8.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    var text: String {
        if letters == VersionName.http11 { return "HTTP/1.1" }
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: letters >> (8 * $0)) }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
