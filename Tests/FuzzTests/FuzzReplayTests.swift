import Foundation
import FuzzTargets
import Testing

/// Runs the inputs that are kept of the fuzzers: seeds that reach deep, and every input that once broke an invariant.
@Suite struct FuzzReplayTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fuzz")

    private static func inputs(in folder: String, of target: String) throws -> [URL] {
        let path = Self.folder.appending(path: folder).appending(path: target)
        return try FileManager.default.contentsOfDirectory(at: path, includingPropertiesForKeys: nil)
            .filter { !$0.lastPathComponent.hasPrefix(".") }
    }

    @Test("every kept input keeps its target's invariant", arguments: FuzzTarget.all.map(\.name))
    func replays(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let seeds = try Self.inputs(in: "Seeds", of: name)
        #expect(!seeds.isEmpty)
        for input in try seeds + Self.inputs(in: "FailCases", of: name) {
            target.run([UInt8](try Data(contentsOf: input)))
        }
    }
}
