import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct KDCProxyMessageTests {
    /// RFC 4120 §5.9.1, by hand: KDC_ERR_C_PRINCIPAL_UNKNOWN.
    private static let error =
        "7e433041a003020105a10302011ea411180f32303236303130353039303030305aa503020100a603020106a9061b04434f5250aa10300ea0"
        + "03020102a10730051b036b6463"

    private func body(length: String = "00000045", target: String = "a1061b04434f5250") throws -> [UInt8] {
        let message = try hex(Self.error)
        let inner = try hex(length) + message
        let octets = [0xA0, UInt8(inner.count + 2), 0x04, UInt8(inner.count)] + inner
        let rest = try octets + hex(target)
        return [0x30, UInt8(rest.count)] + rest
    }

    @Test("the message, and where the proxy shall send it")
    func decodes() throws {
        let decoded = try KDCProxyMessage(decoding: try body()[...])
        #expect(decoded.message.error?.errorCode.rawValue == 6)
        #expect(decoded.targetDomain == "CORP" && decoded.dclocatorHint == nil)
        let hinted = try KDCProxyMessage(decoding: try body(target: "a1061b04434f5250 a203020110")[...])
        #expect(hinted.dclocatorHint == 16)
        #expect(try KDCProxyMessage(decoding: try body(target: "")[...]).targetDomain == nil)
    }

    @Test("no proper prefix is a message")
    func refusesPrefixes() throws {
        let body = try body()
        for count in 0..<body.count {
            #expect(throws: DecodeError.self) { try KDCProxyMessage(decoding: body.prefix(count)) }
        }
        #expect(throws: DecodeError.self) { try KDCProxyMessage(decoding: (body + [0])[...]) }
    }

    @Test("the length in front of the message is that of the message")
    func checksLength() throws {
        for length in ["00000044", "00000046", "ffffffff", "00000000"] {
            #expect(throws: DecodeError.self, "\(length)") {
                try KDCProxyMessage(decoding: try body(length: length)[...])
            }
        }
    }

    @Test("a bare message of a KDC is none")
    func refusesBareMessage() throws {
        #expect(throws: DecodeError.self) { try KDCProxyMessage(decoding: try hex(Self.error)[...]) }
    }
}
