import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct KRBErrorDataTests {
    private func node(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        let inside = contents.flatMap { $0 }
        return [tag, UInt8(inside.count)] + inside
    }

    private func error(_ data: [UInt8]) throws -> KRBError {
        let name = node(0x30, node(0xA0, [2, 1, 2]), node(0xA1, node(0x30, node(0x1B, [0x68]))))
        let fields = node(
            0x30,
            node(0xA0, [2, 1, 5]),
            node(0xA1, [2, 1, 30]),
            node(0xA4, node(0x18, Array("20261130023438Z".utf8))),
            node(0xA5, [2, 1, 7]),
            node(0xA6, [2, 1, 25]),
            node(0xA9, node(0x1B, [0x52])),
            node(0xAA, name),
            node(0xAC, node(0x04, data))
        )
        guard case .krbError(let error) = try KerberosMessage(decoding: node(0x7E, fields)[...]) else {
            throw DecodeError(.invalidValue("no KRB-ERROR"), "test", offset: 0)
        }
        return error
    }

    @Test("RFC 4120 §5.9.1: METHOD-DATA say which pre-authentication the KDC takes")
    func readsMethodData() throws {
        let entry = node(0x30, node(0xA1, [2, 1, 2]), node(0xA2, [4, 0]))
        let error = try error(node(0x30, entry))
        #expect(error.methodData().map(\.type) == [.encryptedTimestamp] && error.errorData() == nil)
    }

    @Test("MS-KILE 2.2.1: Windows gives the NTSTATUS")
    func readsStatus() throws {
        let value = try hex("720000c0 00000000 01000000")
        let error = try error(node(0x30, node(0xA1, [2, 1, 3]), node(0xA2, node(0x04, value))))
        #expect(error.errorData() == KerberosErrorData(dataType: 3, status: 0xC000_0072, reserved: 0, flags: 1))
        #expect(error.methodData().isEmpty)
    }

    @Test("data of no known form say nothing")
    func passesOverOtherData() throws {
        for data in [[], [1], [0x30, 5, 1], [0x30, 0x80]] as [[UInt8]] {
            let error = try error(data)
            #expect(error.methodData().isEmpty && error.errorData() == nil)
        }
    }
}
