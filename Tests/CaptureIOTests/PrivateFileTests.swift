import Foundation
import Testing

@testable import AuthScanCaptureIO

@Suite struct PrivateFileTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()

    private var mode: Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
    }

    @Test("a file is its owner's alone, whether it is new or was there, and what it held is gone")
    func closesFiles() throws {
        let new = openPrivately(path: path)
        #expect(new >= 0 && mode == 0o600)
        close(new)
        try Data([1, 2, 3]).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let old = openPrivately(path: path)
        #expect(old >= 0 && mode == 0o600 && FileManager.default.contents(atPath: path) == Data())
        close(old)
    }

    @Test("what is no file stays as open to others as it is")
    func leavesPipesAlone() throws {
        let isMade = unsafe mkfifo(path, 0o644) == 0 && chmod(path, 0o644) == 0
        #expect(isMade)
        // Without a reader nobody could open it.
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
        let writer = openPrivately(path: path)
        #expect(reader >= 0 && writer >= 0 && mode == 0o644)
        close(writer)
        close(reader)
    }

    @Test func saysWhyNot() {
        #expect(openPrivately(path: "/no/such/folder/x") == -1 && errno == ENOENT)
        #expect(openPrivately(path: "/") == -1 && errno == EISDIR)
    }
}
