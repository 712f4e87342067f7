import Testing

@testable import AuthScanWire

@Suite struct UnsafeBytesTests {
    @Test("bytes are the same where each of them is, whatever their number and wherever they lie")
    func comparesBytes() {
        for count in 0...40 {
            let wanted = (0..<count).map { UInt8($0 * 7 & 0xFF) }
            for position in 0...9 {
                var bytes = [UInt8](repeating: 0xEE, count: position) + wanted
                #expect(withBytes(of: wanted) { bytes.holds($0, at: position) })
                bytes.append(0xEE)
                #expect(withBytes(of: wanted) { bytes.holds($0, at: position) })
                for index in wanted.indices {
                    bytes[position + index] ^= 0x80
                    #expect(!withBytes(of: wanted) { bytes.holds($0, at: position) }, "\(index) of \(count)")
                    bytes[position + index] ^= 0x80
                }
            }
        }
    }

    @Test("a number and bytes are written where they belong, and nothing else is", arguments: [0, 1, 7, 8, 20])
    func writesNumberAndBytes(count: Int) {
        let value = (0..<count).map { UInt8($0 + 1) }
        for position in 0...5 {
            var bytes = [UInt8](repeating: 0xEE, count: position + 4 + count + 3)
            withBytes(of: value) { bytes.write(0x0403_0201 as UInt32, before: $0, at: position) }
            let around = (before: [UInt8](repeating: 0xEE, count: position), behind: [0xEE, 0xEE, 0xEE] as [UInt8])
            #expect(bytes == around.before + [1, 2, 3, 4] + value + around.behind)
        }
    }

    @Test("numbers are read up to the last byte of a span")
    func readsNumbers() {
        withBytes(of: [UInt8](1...9)) { bytes in
            #expect((0..<9).map { bytes.byte($0) } == [UInt8](1...9))
            #expect(bytes.bigEndian16(7) == 0x0809 && bytes.bigEndian32(5) == 0x0607_0809)
            #expect(bytes.bigEndian64(1) == 0x0203_0405_0607_0809)
        }
    }
}
