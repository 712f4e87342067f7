import Testing

@testable import AuthScanWire

@Suite struct FieldNameTableTests {
    private func name(of text: String) -> FieldName? {
        let table = FieldNameTable()
        return withBytes(of: Array(text.utf8)) { table.name(in: $0, 0..<$0.byteCount) }
    }

    @Test("every name is found, in whatever letter case")
    func findsNames() {
        for (index, text) in FieldName.canonicalNames.enumerated() {
            let expected = FieldName(rawValue: UInt8(index))
            #expect(name(of: text) == expected)
            #expect(name(of: text.uppercased()) == expected && name(of: text.lowercased()) == expected)
        }
    }

    @Test("what differs in one bit or one byte is another name")
    func refusesOthers() {
        for text in FieldName.canonicalNames {
            var bytes = Array(text.utf8)
            for index in bytes.indices {
                // The bit that tells letter cases apart changes a hyphen into a carriage return.
                bytes[index] ^= bytes[index] == 0x2D || bytes[index] == 0x5F ? 0x20 : 0x10
                let changed = withBytes(of: bytes) { FieldNameTable().name(in: $0, 0..<$0.byteCount) }
                #expect(changed == nil, "\(text) changed at \(index)")
                bytes = Array(text.utf8)
            }
            #expect(name(of: text + "s") == nil && name(of: String(text.dropLast())) == nil)
        }
        #expect(name(of: "") == nil)
    }
}
