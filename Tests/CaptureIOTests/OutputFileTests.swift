import AuthScanWire
import Foundation
import Testing

@testable import AuthScanCaptureIO

@Suite struct OutputFileTests {
    @Test("what is written is there, for its owner alone")
    func writesPrivately() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
        #expect(FileManager.default.createFile(atPath: path, contents: Data([9, 9, 9, 9]), attributes: [:]))
        let file = try OutputFile(path: path)
        #expect(file.write([1, 2]) == nil && file.write([]) == nil && file.write([3]) == nil)
        #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func saysWhyItCannotBeWritten() {
        #expect(throws: CaptureError(path: "/no/such/x", reason: .unwritable("No such file or directory"))) {
            try OutputFile(path: "/no/such/x")
        }
    }

    #if os(Linux)
        @Test func saysThatTheDiskIsFull() throws {
            #expect(try OutputFile(path: "/dev/full").write([1]) != nil)
        }
    #endif
}
