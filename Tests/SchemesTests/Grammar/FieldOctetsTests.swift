import Testing

@testable import AuthScanSchemes

@Suite struct FieldOctetsTests {
    @Test("both forms of the question for a letter of a token68 have the same answer")
    func bitsAreAllOrNone() {
        for octet in UInt8.min...UInt8.max {
            #expect(octet.token68Bits == (octet.isToken68Character ? .max : 0), "\(octet)")
        }
        let letters = Array("abcXYZ019-._~+/".utf8)
        #expect(UInt8.haveAll(letters.span) { $0.token68Bits })
        #expect(!UInt8.haveAll((letters + [0x3D]).span) { $0.token68Bits })
    }

    @Test("RFC 9110 §5.6.4: what stands for itself in a quoted-string")
    func plainOctetsAreTextWithoutQuoteAndBackslash() {
        for octet in UInt8.min...UInt8.max {
            let isPlain = !octet.isControl && octet != UInt8(ascii: "\"") && octet != UInt8(ascii: "\\")
            #expect(octet.isPlainInQuotes == isPlain, "\(octet)")
        }
    }
}
