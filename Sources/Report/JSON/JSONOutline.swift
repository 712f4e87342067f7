/// JSON that this module wrote itself, as indented lines for people: a member a line, without nulls and empty lists.
struct JSONOutline {
    private indirect enum Node {
        case scalar(String?)
        case list([Node])
        case record([(name: String, value: Node)])
    }

    private var rest: ArraySlice<UInt8>

    /// The lines of one JSON text.
    static func text(_ json: [UInt8]) -> String {
        var outline = JSONOutline(rest: json[...])
        return lines(outline.node()).map { $0 + "\n" }.joined()
    }

    // MARK: Reading

    private mutating func node() -> Node {
        switch rest.first {
        case 0x7B: return .record(members())
        case 0x5B: return .list(elements())
        case 0x22: return .scalar(string())
        default:
            let word = rest.prefix { ![0x2C, 0x5D, 0x7D, 0x0A].contains($0) }
            rest = rest[word.endIndex...]
            let text = String(decoding: word, as: UTF8.self)
            return .scalar(text == "null" ? nil : text)
        }
    }

    private mutating func members() -> [(name: String, value: Node)] {
        var members: [(name: String, value: Node)] = []
        rest = rest.dropFirst()
        while rest.first == 0x22 {
            let name = string()
            rest = rest.dropFirst()
            members.append((name, node()))
            if rest.first == 0x2C { rest = rest.dropFirst() }
        }
        rest = rest.dropFirst()
        return members
    }

    private mutating func elements() -> [Node] {
        var elements: [Node] = []
        rest = rest.dropFirst()
        while let next = rest.first, next != 0x5D {
            elements.append(node())
            if rest.first == 0x2C { rest = rest.dropFirst() }
        }
        rest = rest.dropFirst()
        return elements
    }

    /// The inside of a string; escapes stay as they are, since they stand for what must not reach a terminal, but for
    /// quotes and backslashes.
    private mutating func string() -> String {
        var bytes: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != 0x22 {
            if byte == 0x5C, let next = rest.first, next == 0x22 || next == 0x5C {
                bytes.append(next)
                rest = rest.dropFirst()
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Writing

    private static func lines(_ node: Node) -> [String] {
        switch node {
        case .scalar(let text): text.map { [$0] } ?? []
        case .list(let nodes): nodes.flatMap(item)
        case .record(let members): members.flatMap { member($0.name, $0.value) }
        }
    }

    private static func member(_ name: String, _ value: Node) -> [String] {
        let inner = lines(value)
        if case .scalar = value { return inner.map { "\(name): \($0)" } }
        return inner.isEmpty ? [] : ["\(name):"] + inner.map { "  " + $0 }
    }

    /// An element of a list; a pair such as a parameter or an AV pair is one field and takes one line.
    private static func item(_ node: Node) -> [String] {
        if case .list(let pair) = node, pair.count == 2 {
            return ["- " + pair.flatMap(lines).joined(separator: " = ")]
        }
        guard case .record(let members) = node else { return bulleted(lines(node)) }
        if members.prefix(2).map(\.name) == ["id", "value"] {
            let parts = members.filter { $0.name == "parts" }.flatMap { lines($0.value) }
            return ["- " + members.prefix(2).flatMap { lines($0.value) }.joined(separator: " = ")]
                + parts.map { "    " + $0 }
        }
        return bulleted(lines(node))
    }

    private static func bulleted(_ lines: [String]) -> [String] {
        lines.enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
    }
}
