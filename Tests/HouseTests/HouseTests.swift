import Foundation
import Testing

/// The rules of the house that the compiler does not enforce.
@Suite struct HouseTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    private static let sources = root.appending(path: "Sources")

    /// Every Swift file below a folder of `Sources`, as its path in `Sources` and its text without comments.
    private static func code(below folder: String = "") throws -> [(path: String, text: String)] {
        let start = sources.appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: start.path()).filter { $0.hasSuffix(".swift") }
        return try paths.sorted().map { path in
            let text = try String(contentsOf: start.appending(path: path), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                line.firstRange(of: "//").map { String(line[..<$0.lowerBound]) } ?? String(line)
            }
            return (folder.isEmpty ? path : "\(folder)/\(path)", lines.joined(separator: "\n"))
        }
    }

    @Test("unsafe code and C modules stay where they are allowed")
    func keepsUnsafeCodeTogether() throws {
        let files = try Self.code()
        #expect(files.count > 50)
        for (path, text) in files {
            #expect(!text.contains("@unchecked"), "\(path)")
            let isNative = path.hasPrefix("NativeCodecs/") || path.hasPrefix("CaptureIO/")
            #expect(isNative || text.firstMatch(of: /import C[A-Z]/) == nil, "\(path)")
            let mayBeUnsafe = isNative || path == "Wire/UnsafeBytes.swift" || path.hasPrefix("authscan/")
            #expect(mayBeUnsafe || text.firstMatch(of: /\bunsafe\b/) == nil, "\(path)")
        }
    }

    @Test("only the command line and CaptureIO touch the system")
    func keepsTheCoreFreeOfInputAndOutput() throws {
        for (path, text) in try Self.code() where !path.hasPrefix("CaptureIO/") && !path.hasPrefix("authscan/") {
            #expect(text.firstMatch(of: /import (Glibc|Darwin)/) == nil, "\(path)")
            #expect(text.firstMatch(of: /import Foundation\b/) == nil || path.contains("Bearer/"), "\(path)")
        }
    }

    @Test(
        "no stage names a type of a later one",
        arguments: [
            ("Wire", ["Capture", "Packets", "Streams", "TLS", "HTTP"]),
            ("Sessions", ["Exchanges", "Proofs", "Spaces"]),
        ]
    )
    func looksBackOnly(target: String, stages: [String]) throws {
        let declaration = /\b(?:struct|class|enum|protocol|typealias) ([A-Z]\w+)/
        let code = try stages.map { try Self.code(below: "\(target)/\($0)") }
        for (index, files) in code.enumerated() {
            let later = Set(
                code[(index + 1)...].joined().flatMap { file in
                    file.text.matches(of: declaration).map { String($0.1) }
                }
            )
            // A name that an earlier stage declares as well (a nested `State`, say) tells nothing.
            let own = Set(
                code[...index].joined().flatMap { file in
                    file.text.matches(of: declaration).map { String($0.1) }
                }
            )
            for (path, text) in files {
                let names = Set(text.matches(of: /\b[A-Z]\w+/).map { String($0.0) })
                let leaks = names.intersection(later).subtracting(own).subtracting(Self.sharedModel)
                #expect(leaks.isEmpty, "\(path) names \(leaks.sorted())")
            }
        }
    }

    /// Values that stages hand on, declared with the stage that fills them.
    private static let sharedModel: Set<String> = [
        "Connection", "CapturedTransactions", "Origin", "TLSConnection", "HTTP2Connection", "KDCRecord",
        "QUICConnection",
    ]

    @Test("functions and files stay short")
    func staysShort() throws {
        for (path, text) in try Self.code() {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 500, "\(path) has \(lines.count) lines")
            for (name, length) in Self.functionLengths(lines) {
                #expect(length <= 60, "\(path): \(name) has \(length) lines")
            }
        }
    }

    /// Functions and initialisers with their lengths, told by the indentation of their closing brace.
    private static func functionLengths(_ lines: [Substring]) -> [(name: String, length: Int)] {
        var lengths: [(String, Int)] = []
        for (start, line) in lines.enumerated() where line.firstMatch(of: /\b(?:func|init)\b.*\{\s*$/) != nil {
            let indent = line.prefix { $0 == " " }
            let end = lines[start...].firstIndex { $0.hasPrefix(indent + "}") } ?? lines.endIndex
            lengths.append((line.trimmingCharacters(in: .whitespaces), end - start + 1))
        }
        return lengths
    }
}
