import AuthScanWire
import Foundation
import Testing

@testable import AuthScanCaptureIO

/// The loopback interface, by the name that the system gives it.
private let loopback = LiveCapture.interfaces().first { $0 == "lo" || $0 == "lo0" } ?? "lo"

@Suite struct LiveCaptureTests {
    @Test("an interface that there is not is refused with those that there are")
    func refusesUnknownInterfaces() {
        #expect { _ = try LiveCapture(interface: "no-such-if") } throws: { error in
            guard let error = error as? CaptureError, error.path == "no-such-if" else { return false }
            switch error.reason {
            // A user without privileges may be told of those first.
            case .noSuchInterface, .mayNotCapture: return true
            default: return false
            }
        }
    }

    @Test("packets come with their header, or it is said what is missing to capture them")
    func capturesOrSaysWhyNot() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "authscan-\(UUID().uuidString).pcap").path()
        var pieces: [[UInt8]] = []
        do {
            let live = try LiveCapture(interface: loopback, filter: CaptureFilter("icmp or icmp6"))
            let losses = try readLive(live, keepingIn: path, for: .milliseconds(300), until: { false }) {
                pieces.append($0)
            }
            #expect(losses.isEmpty)
        } catch let error as CaptureError {
            #expect(error.reason == .mayNotCapture, "\(error)")
            #expect(error.description.contains("no permission to capture"))
            return
        }
        let written = try #require(FileManager.default.contents(atPath: path))
        #expect([UInt8](written) == Array(pieces.joined()))
        #expect(pieces.first?.count == 24)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("a file that cannot be written ends the run before it begins")
    func refusesUnwritableOutput() throws {
        do {
            let live = try LiveCapture(interface: loopback)
            try #require(throws: CaptureError.self) {
                _ = try readLive(live, keepingIn: "/no/such/folder/x.pcap", for: nil, until: { true }) { _ in }
            }
        } catch let error as CaptureError {
            #expect(error.reason == .mayNotCapture)
        }
    }
}
