import Testing

@testable import AuthScanWire

@Suite struct FieldNameTableTests {
    private func find(_ line: String) -> (name: FieldName, valueStart: Int)? {
        let table = FieldNameTable()
        return withBytes(of: Array(line.utf8)) { table.name(in: $0, 0..<$0.byteCount) }
    }

    private func name(of text: String) -> FieldName? { find(text + ": value")?.name }

    @Test("every name is found, in whatever letter case")
    func findsNames() {
        for (index, text) in FieldName.canonicalNames.enumerated() {
            let expected = FieldName(rawValue: UInt8(index))
            #expect(name(of: text) == expected)
            #expect(name(of: text.uppercased()) == expected && name(of: text.lowercased()) == expected)
        }
    }

    @Test("no name is that of a part of the start line")
    func leavesRoom() {
        let names = FieldName.canonicalNames.indices.map { FieldName(rawValue: UInt8($0)) }
        #expect(names.allSatisfy { !$0.isOfStartLine })
    }

    @Test("what differs in one bit or one byte is another name")
    func refusesOthers() {
        for text in FieldName.canonicalNames {
            var bytes = Array(text.utf8)
            for index in bytes.indices {
                // The bit that tells letter cases apart changes a hyphen into a carriage return.
                bytes[index] ^= bytes[index] == 0x2D || bytes[index] == 0x5F ? 0x20 : 0x10
                let changed = withBytes(of: bytes + [0x3A]) { FieldNameTable().name(in: $0, 0..<$0.byteCount) }
                #expect(changed == nil, "\(text) changed at \(index)")
                bytes = Array(text.utf8)
            }
            #expect(name(of: text + "s") == nil && name(of: String(text.dropLast())) == nil)
        }
        #expect(name(of: "") == nil)
    }

    @Test("the value starts behind the colon, also behind one that white space precedes")
    func findsValue() {
        #expect(find("Host: a")?.valueStart == 5)
        #expect(find("host \t:a")?.valueStart == 7)
        #expect(find("DPoP:")?.valueStart == 5)
    }

    @Test("a line without a colon has no name")
    func needsColon() {
        for line in ["Host", "Host ", "Hos", "H", "Authorization Basic x", "DPoP-"] { #expect(find(line) == nil) }
    }
}
