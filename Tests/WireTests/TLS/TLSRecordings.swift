import TestSupport
import Foundation

@testable import AuthScanWire

/// The sessions of `Tests/Fixtures/TLS`, which OpenSSL has had with itself, and others those that OpenSSL has no more.
enum TLSRecordings {
    struct Session {
        var keyLog: [String] = []
        var pieces: [(side: Side, bytes: [UInt8])] = []

        /// Plays the session into a conversation.
        func play(into conversation: inout TLSConversation) {
            for piece in pieces { conversation.send(piece.side, piece.bytes) }
        }

        func played(keyLog: [String]? = nil) -> TLSConversation {
            var conversation = TLSConversation(keyLog: keyLog ?? self.keyLog)
            play(into: &conversation)
            return conversation
        }
    }

    /// What every client sends, and what every server answers, one after the other.
    static let requests = "GET / HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n"
    static let responses = "HTTP/1.1 204 No\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    static let (sessions, rsaKey) = read("recordings.txt")
    static let (oldSessions, oldRSAKey) = read("recordings-old.txt")
    /// Of export strength and of DES, as Java has them: see `Tests/Fixtures/TLS/record-export`.
    static let (exportSessions, _) = read("recordings-export.txt")
    /// Of IDEA, RC2 and SEED, and of export strength where it is forbidden: see `Tests/Fixtures/TLS/record-legacy`.
    static let (legacySessions, _) = read("recordings-legacy.txt")
    /// Messages whose bodies span records: see `Tests/Fixtures/TLS/record-bodies`.
    static let (bodies, _) = read("recordings-bodies.txt")
    /// The records of RFC 8448, §4 to §6, in the order in which they were sent; of §5 without the server's protected flight.
    static let (rfc8448, _) = read("rfc8448.txt")

    private static func read(_ name: String) -> ([String: Session], [UInt8]) {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/TLS/\(name)")
        var sessions: [String: Session] = [:]
        var key: [UInt8] = []
        var name = ""
        // A missing file gives no sessions, and every test that wants one fails.
        for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch words[0] {
            case "session": name = words[1]
            case "key": sessions[name, default: Session()].keyLog.append(words[1])
            case "client": sessions[name, default: Session()].pieces.append((.client, bytes(hex: words[1])))
            case "server": sessions[name, default: Session()].pieces.append((.server, bytes(hex: words[1])))
            default: key = bytes(hex: words[1])
            }
        }
        return (sessions, key)
    }
}

extension TLSConversation {
    /// The content of one side, as text.
    func text(_ side: Side) -> String { String(decoding: (content[side] ?? []).joined(), as: UTF8.self) }
}
