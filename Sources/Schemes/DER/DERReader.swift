import AuthScanBytes

/// Reads the elements of an ASN.1 encoding one after another.
///
/// Lengths of BER that are longer than DER allows are accepted, because implementations send them; the indefinite length
/// is not. Nesting is followed to a fixed depth.
///
/// - Source: ITU-T X.690 §8.1, §10.1.
struct DERReader {
    /// How deep elements may lie inside each other.
    static let depthLimit = 32

    private var cursor: ByteCursor
    private let base: Int
    private let depth: Int

    /// Starts at the first element of `bytes`, which lie `base` bytes into the token.
    init(_ bytes: ArraySlice<UInt8>, at base: Int = 0, depth: Int = 0, as field: String = "token") throws(DecodeError) {
        guard depth <= Self.depthLimit else {
            throw DecodeError(.limitExceeded(limit: Self.depthLimit), field, offset: base)
        }
        cursor = ByteCursor(bytes)
        self.base = base
        self.depth = depth
    }

    var isAtEnd: Bool { cursor.remaining == 0 }

    /// Where the next element lies, in bytes from the start of the token.
    var offset: Int { base + cursor.offset }

    /// The bytes that are left.
    var rest: ArraySlice<UInt8> { cursor.bytes.dropFirst(cursor.offset) }

    /// The tag of the next element; `nil` at the end.
    func peekTag() -> DERTag? { cursor.peek().map { DERTag(rawValue: $0) } }

    /// Reads the next element, whatever it is.
    mutating func readNode(as field: String) throws(DecodeError) -> DERNode {
        let (tag, length, start) = try readHeader(as: field)
        let contentsOffset = offset
        do throws(DecodeError) {
            let contents = try cursor.take(length, as: field)
            return DERNode(tag: tag, contents: contents, offset: start, contentsOffset: contentsOffset, depth: depth)
        } catch {
            throw DecodeError(error.problem, field, offset: contentsOffset)
        }
    }

    /// Reads the next element, cut where the bytes end before it does, which is noted.
    mutating func readNode(as field: String, noting problems: inout [DecodeError]) throws(DecodeError) -> DERNode {
        let (tag, length, start) = try readHeader(as: field)
        let contentsOffset = offset
        if length > cursor.remaining {
            let problem = DecodeError.Problem.truncated(needed: length, available: cursor.remaining)
            problems.append(DecodeError(problem, field, offset: contentsOffset))
        }
        let contents = try cursor.take(min(length, cursor.remaining), as: field)
        return DERNode(tag: tag, contents: contents, offset: start, contentsOffset: contentsOffset, depth: depth)
    }

    /// Reads the next element, which must have this tag.
    mutating func read(_ tag: DERTag, as field: String) throws(DecodeError) -> DERNode {
        let node = try readNode(as: field)
        guard node.tag == tag else { throw node.wrong("has tag 0x\(Hex.encode(node.tag.rawValue))", field) }
        return node
    }

    /// Reads the element inside the next one if that is tagged `[number]`; `nil`, with nothing read, for another tag.
    mutating func readOptional(_ number: UInt8, as field: String) throws(DecodeError) -> DERNode? {
        guard peekTag() == .context(number) else { return nil }
        var inner = try read(.context(number), as: field).reader(as: field)
        let node = try inner.readNode(as: field)
        try inner.finish(as: field)
        return node
    }

    /// Reads the element inside the next one, which must be tagged `[number]`.
    mutating func readRequired(_ number: UInt8, as field: String) throws(DecodeError) -> DERNode {
        guard let node = try readOptional(number, as: field) else {
            throw DecodeError(.invalidValue("is missing"), field, offset: offset)
        }
        return node
    }

    /// Refuses bytes that are left.
    func finish(as field: String) throws(DecodeError) {
        guard isAtEnd else { throw DecodeError(.trailingBytes(count: cursor.remaining), field, offset: offset) }
    }

    private mutating func readHeader(as field: String) throws(DecodeError) -> (tag: DERTag, length: Int, start: Int) {
        let start = offset
        let tag: DERTag
        let first: UInt8
        do throws(DecodeError) {
            tag = DERTag(rawValue: try cursor.readBigEndian(UInt8.self, as: field))
            first = try cursor.readBigEndian(UInt8.self, as: field)
        } catch {
            throw DecodeError(error.problem, field, offset: offset)
        }
        guard tag.rawValue & 0x1F != 0x1F else {
            throw DecodeError(.invalidValue("has a tag of several octets"), field, offset: start)
        }
        return (tag, try readLength(first, as: field), start)
    }

    private mutating func readLength(_ first: UInt8, as field: String) throws(DecodeError) -> Int {
        guard first >= 0x80 else { return Int(first) }
        // X.690 §10.1: "The definite form of length encoding shall be used".
        guard first != 0x80 else {
            throw DecodeError(.invalidValue("has an indefinite length"), field, offset: offset - 1)
        }
        let start = offset
        let octets: ArraySlice<UInt8>
        do throws(DecodeError) {
            octets = try cursor.take(Int(first & 0x7F), as: field)
        } catch {
            throw DecodeError(error.problem, field, offset: start)
        }
        let significant = octets.drop { $0 == 0 }
        guard significant.count <= 4 else {
            throw DecodeError(.limitExceeded(limit: Int(UInt32.max)), field, offset: start)
        }
        return significant.reduce(0) { $0 << 8 | Int($1) }
    }
}
