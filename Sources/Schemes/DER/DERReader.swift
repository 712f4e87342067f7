import AuthScanBytes

/// One element of a DER encoding: its identifier octet, its content, and where it lies.
///
/// - Source: X.690 §8.1.
struct DERNode: Hashable, Sendable {
    /// Class, form and tag number as on the wire; tags above 30 do not occur in the structures read here.
    let tag: UInt8

    /// The content octets.
    let content: ArraySlice<UInt8>

    /// Where the element starts, in bytes from the start of the token.
    let offset: Int

    /// Where its content starts, in bytes from the start of the token.
    let contentOffset: Int
}

/// Reads DER elements one after the other, within limits that no honest token meets.
///
/// Definite lengths alone; long forms that are longer than needed (BER) are read as well, since some software writes them.
struct DERReader {
    /// How deep structures may be nested; a SPNEGO token with a ticket inside needs about a dozen levels.
    static let maximumDepth = 32

    private let bytes: ArraySlice<UInt8>
    private let base: Int
    private let depth: Int
    private var position: Int

    /// Reads from the start of a token.
    init(_ bytes: ArraySlice<UInt8>) { self.init(bytes, base: 0, depth: 0) }

    private init(_ bytes: ArraySlice<UInt8>, base: Int, depth: Int) {
        self.bytes = bytes
        self.base = base
        self.depth = depth
        position = bytes.startIndex
    }

    /// Reads the elements inside a constructed one.
    func reader(of node: DERNode) throws(DecodeError) -> DERReader {
        guard depth < DERReader.maximumDepth else {
            throw DecodeError(.limitExceeded(limit: DERReader.maximumDepth), "nesting", offset: node.offset)
        }
        return DERReader(node.content, base: node.contentOffset, depth: depth + 1)
    }

    /// Where the next element starts, in bytes from the start of the token.
    var offset: Int { base + position - bytes.startIndex }

    /// Whether nothing is left.
    var isAtEnd: Bool { position == bytes.endIndex }

    /// The tag of the next element; `nil` at the end.
    func peekTag() -> UInt8? { isAtEnd ? nil : bytes[position] }

    /// The next element, which is moved over.
    mutating func read(as field: String) throws(DecodeError) -> DERNode {
        let start = offset
        let tag = try take(1, field)[0]
        guard tag & 0x1F != 0x1F else { throw DecodeError(.invalidValue("a long tag"), field, offset: start) }
        let length = try readLength(field)
        let contentOffset = offset
        let content = try slice(length, field)
        return DERNode(tag: tag, content: content, offset: start, contentOffset: contentOffset)
    }

    /// The next element, which must have this tag.
    mutating func read(_ tag: UInt8, as field: String) throws(DecodeError) -> DERNode {
        guard let next = peekTag() else {
            throw DecodeError(.truncated(needed: 2, available: 0), field, offset: offset)
        }
        guard next == tag else {
            let expected = "tag 0x\(Hex.encode(next)), not 0x\(Hex.encode(tag))"
            throw DecodeError(.invalidValue(expected), field, offset: offset)
        }
        return try read(as: field)
    }

    /// The element inside the next one, where that has the context tag `[number]`; `nil` where it has another.
    mutating func readOptional(_ number: UInt8, as field: String) throws(DecodeError) -> DERNode? {
        guard peekTag() == 0xA0 | number else { return nil }
        let wrapper = try read(as: field)
        var inner = try reader(of: wrapper)
        return try inner.read(as: field)
    }

    /// The element inside the next one, which must have the context tag `[number]`.
    mutating func readField(_ number: UInt8, as field: String) throws(DecodeError) -> DERNode {
        let wrapper = try read(0xA0 | number, as: field)
        var inner = try reader(of: wrapper)
        return try inner.read(as: field)
    }

    private mutating func readLength(_ field: String) throws(DecodeError) -> Int {
        let start = offset
        let first = try take(1, field)[0]
        guard first & 0x80 != 0 else { return Int(first) }
        let count = Int(first & 0x7F)
        guard count > 0 else { throw DecodeError(.invalidValue("an indefinite length"), field, offset: start) }
        guard count <= 4 else { throw DecodeError(.invalidValue("a length of \(count) bytes"), field, offset: start) }
        return try take(count, field).reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func take(_ count: Int, _ field: String) throws(DecodeError) -> [UInt8] {
        Array(try slice(count, field))
    }

    private mutating func slice(_ count: Int, _ field: String) throws(DecodeError) -> ArraySlice<UInt8> {
        let available = bytes.endIndex - position
        guard count <= available else {
            throw DecodeError(.truncated(needed: count, available: available), field, offset: offset)
        }
        defer { position += count }
        return bytes[position..<(position + count)]
    }
}

extension DERNode {
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let objectIdentifier: UInt8 = 0x06
    static let enumerated: UInt8 = 0x0A
    static let generalizedTime: UInt8 = 0x18
    static let generalString: UInt8 = 0x1B
    static let sequence: UInt8 = 0x30

    func check(_ expected: UInt8, as field: String) throws(DecodeError) {
        guard tag == expected else {
            let text = "tag 0x\(Hex.encode(tag)), not 0x\(Hex.encode(expected))"
            throw DecodeError(.invalidValue(text), field, offset: offset)
        }
    }

    /// An INTEGER or ENUMERATED of at most eight bytes, two's complement.
    func integer(as field: String) throws(DecodeError) -> Int {
        guard tag == DERNode.integer || tag == DERNode.enumerated, (1...8).contains(content.count) else {
            throw DecodeError(.invalidValue("no integer of one to eight bytes"), field, offset: offset)
        }
        let isNegative = content.first.map { $0 & 0x80 != 0 } ?? false
        return content.reduce(isNegative ? -1 : 0) { $0 << 8 | Int($1) }
    }

    func octets(as field: String) throws(DecodeError) -> ArraySlice<UInt8> {
        try check(DERNode.octetString, as: field)
        return content
    }

    /// A GeneralString or one of its relatives: UTF-8 where it is valid, ISO 8859-1 otherwise.
    func text(as field: String) throws(DecodeError) -> String {
        guard [DERNode.generalString, 0x0C, 0x13, 0x16].contains(tag) else {
            throw DecodeError(.invalidValue("no string"), field, offset: offset)
        }
        return fieldText(content)
    }

    /// The first 32 bits of a BIT STRING, the first bit in the highest place.
    func flags(as field: String) throws(DecodeError) -> UInt32 {
        try check(DERNode.bitString, as: field)
        return (0..<4).reduce(0) { value, index in
            let byte = content.dropFirst(1 + index).first ?? 0
            return value << 8 | UInt32(byte)
        }
    }

    /// - Source: X.690 §8.19.
    func objectIdentifier(as field: String) throws(DecodeError) -> ObjectIdentifier {
        try check(DERNode.objectIdentifier, as: field)
        var arcs: [UInt64] = []
        var value: UInt64 = 0
        for byte in content {
            guard value < 1 << 56, arcs.count < 64 else {
                throw DecodeError(.limitExceeded(limit: 64), field, offset: offset)
            }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 {
                arcs.append(value)
                value = 0
            }
        }
        guard let first = arcs.first, content.last.map({ $0 & 0x80 == 0 }) == true else {
            throw DecodeError(.invalidValue("an unfinished object identifier"), field, offset: offset)
        }
        let root = min(first / 40, 2)
        let text = ([root, first - root * 40] + arcs.dropFirst()).map { "\($0)" }.joined(separator: ".")
        return ObjectIdentifier(rawValue: text)
    }
}
