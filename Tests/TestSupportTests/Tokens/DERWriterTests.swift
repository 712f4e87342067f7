import Testing

@testable import TestSupport

struct DERWriterTests {
    @Test("object identifiers have the octets that RFC 2743 and RFC 4178 print")
    func objectIdentifiers() {
        #expect(
            DERWriter.objectIdentifier(MechanismName.kerberos.arcs)
                == [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x12, 0x01, 0x02, 0x02]
        )
        #expect(
            DERWriter.objectIdentifier(MechanismName.ntlm.arcs)
                == [0x06, 0x0A, 0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x02, 0x02, 0x0A]
        )
        #expect(DERWriter.objectIdentifier([1, 3, 6, 1, 5, 5, 2]) == [0x06, 0x06, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x02])
    }

    @Test("lengths take the fewest octets (X.690 §10.1)")
    func lengths() {
        for (count, header) in [(127, [0x7F]), (128, [0x81, 0x80]), (256, [0x82, 1, 0])] as [(Int, [UInt8])] {
            let value = DERWriter.octetString([UInt8](repeating: 0, count: count))
            #expect(Array(value.prefix(1 + header.count)) == [0x04] + header)
            #expect(value.count == 1 + header.count + count)
        }
    }

    @Test("integers take the fewest octets and stay positive (X.690 §8.3)")
    func integers() {
        #expect(DERWriter.integer(0) == [2, 1, 0])
        #expect(DERWriter.integer(127) == [2, 1, 127])
        #expect(DERWriter.integer(128) == [2, 2, 0, 128])
        #expect(DERWriter.integer(256) == [2, 2, 1, 0])
    }
}
