import Foundation
import TestSupport
import Testing

@testable import authscan

/// Runs the main job on what no well-behaved capture has: it says what is wrong, and reports everything that is readable.
@Suite final class BadInputTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "authscan-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What a run leaves behind.
    private struct Run {
        let status: authscan.ExitStatus
        let output: String
        let complaints: String
    }

    private func run(_ arguments: String...) -> Run {
        var console = RecordingConsole()
        let status = Main.run(arguments, &console)
        return Run(status: status, output: console.output, complaints: console.complaints)
    }

    private func file(_ bytes: [UInt8], named name: String = "capture") throws -> String {
        let path = folder.appending(path: name).path(percentEncoded: false)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }
}

// MARK: - Files that cannot be read

extension BadInputTests {
    @Test(
        "what is no capture is refused with one clear line",
        arguments: [
            ([], "the file is empty"), (Array("Dear all,\nthe login fails again.\n".utf8), "it looks like text"),
            ([0xD4, 0xC3, 0xB2, 0xA1, 2, 0], "not a capture (pcap, pcapng, snoop, Network Monitor or ERF)"),
        ] as [([UInt8], String)]
    )
    func refusesOtherFiles(bytes: [UInt8], reason: String) throws {
        let path = try file(bytes)
        let run = run(path)
        #expect(run.status == .unreadableInput)
        #expect(run.complaints.hasPrefix("authscan: \(path): ") && run.complaints.hasSuffix("\(reason)\n"))
        #expect(run.complaints.count { $0 == "\n" } == 1 && run.output.isEmpty)
    }

    @Test func refusesWhatIsNoFile() {
        let path = folder.path(percentEncoded: false)
        let directory = run(path)
        #expect(directory.status == .unreadableInput)
        #expect(directory.complaints == "authscan: \(path): there is no capture in this directory\n")
        let missing = run(path + "gone.pcap")
        #expect(missing.status == .unreadableInput)
        #expect(missing.complaints == "authscan: \(path)gone.pcap: no such file\n")
    }

    @Test func refusesWhatTheUserMayNotRead() throws {
        let path = try file(try Transcript(Self.broken).capture().bytes)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        let run = withoutPrivileges { self.run(path) }
        #expect(run.status == .unreadableInput)
        #expect(run.complaints == "authscan: \(path): permission denied\n")
    }
}

// MARK: - Damaged files

extension BadInputTests {
    private static let broken = "connection 1\n> GET /a\n< 401\nclosed by client"

    /// Checks that the broken login before the damage is reported, and the damage named in both reports and the complaint.
    private func expectDamage(_ bytes: [UInt8], _ kind: String, _ words: String) throws {
        let path = try file(bytes)
        let text = run(path)
        #expect(text.status == .findings)
        #expect(text.output.hasPrefix("http://intranet.example: BROKEN at challenge"))
        #expect(
            text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words),
            "\(text.output)"
        )
        #expect(text.complaints.hasPrefix("authscan: \(path): ") && text.complaints.contains(words))
        let json = run("--format", "json", path)
        #expect(json.status == .findings)
        #expect(json.output.contains(#""problems":[{"kind":"\#(kind)""#), "\(json.output.prefix(600))")
        #expect(json.output.contains(#""rule":"http-401-no-challenge""#))
        #expect(run("--quiet", path).complaints.isEmpty)
    }

    @Test("a file that ends in the middle of a record", arguments: [1, 10, 54, 69])
    func readsCutFiles(missing: Int) throws {
        // The last record has 16 bytes of header and 54 of frame.
        let bytes = try Transcript(Self.broken).capture().bytes.dropLast(missing)
        try expectDamage(Array(bytes), "truncatedRecord", "the file ends in the middle of a record")
    }

    @Test("a record with a length that cannot be")
    func readsUpToAnImpossibleLength() throws {
        let record: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0x7F]
        let bytes = try Transcript(Self.broken).capture().bytes + record + [1, 2, 3]
        try expectDamage(bytes, "invalidLength", "a record states a length of 2147483647 bytes, which cannot be")
    }

    @Test("a pcapng block whose two lengths differ, or whose length cannot be")
    func readsUpToAWrongBlockLength() throws {
        let whole = try Transcript(Self.broken).capture(.pcapng).bytes
        let interface: [UInt8] = [1, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 0, 0, 4, 0, 20, 0, 0, 0]
        var block = interface
        block[16] = 24
        try expectDamage(whole + block + interface, "malformedBlock", "a block states two different lengths")
        block = interface
        block[4] = 8
        try expectDamage(whole + block + interface, "invalidLength", "a record states a length of 8 bytes")
        block[4...7] = [0xFF, 0xFF, 0xFF, 0xFF]
        try expectDamage(whole + block + interface, "invalidLength", "a record states a length of 4294967295 bytes")
    }
}

// MARK: - Hostile messages

extension BadInputTests {
    /// What one side of a connection sends.
    private typealias Message = (side: Transcript.Side, bytes: [UInt8])

    /// A capture of one connection from 192.0.2.10 for each list of messages, cut into packets of 30,000 bytes.
    private static func capture(_ connections: [[Message]]) -> [UInt8] {
        var capture = CaptureBuilder()
        for (index, messages) in connections.enumerated() {
            let client = HostEndpoint(HostAddress(192, 0, 2, 10), port: UInt16(50101 + index))
            let server = HostEndpoint(HostAddress(198, 51, 100, 20), port: 80)
            var next: [Transcript.Side: UInt32] = [.client: 1000, .server: 5000]
            func send(_ side: Transcript.Side, _ flags: TCPFlags, _ payload: [UInt8] = []) {
                let frame = FrameBuilder().tcp(
                    from: side == .client ? client : server,
                    to: side == .client ? server : client,
                    sequence: next[side, default: 0],
                    acknowledgment: next[side.other, default: 0],
                    flags: flags,
                    payload: payload
                )
                let counted = payload.count + (flags.isDisjoint(with: [.syn, .fin]) ? 0 : 1)
                next[side, default: 0] += UInt32(counted)
                let seconds = Int64(Transcript.startSeconds) * 1_000_000_000
                capture.add(frame, at: seconds + Int64(capture.packetCount) * 10_000_000)
            }
            send(.client, .syn)
            send(.server, [.syn, .ack])
            for message in messages {
                for start in stride(from: 0, to: message.bytes.count, by: 30_000) {
                    send(message.side, [.psh, .ack], Array(message.bytes[start...].prefix(30_000)))
                }
            }
            send(.client, [.fin, .ack])
            send(.server, [.fin, .ack])
        }
        return capture.bytes
    }

    private static func request(_ rest: String) -> Message {
        (.client, Array("GET /a HTTP/1.1\r\nHost: intranet.example\r\nUser-Agent: x\r\n\(rest)".utf8))
    }

    private static func response(_ status: String, _ fields: String) -> Message {
        (.server, Array("HTTP/1.1 \(status)\r\n\(fields)\r\n".utf8))
    }

    private static let refusal = response(
        "401 Unauthorized",
        "WWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 0\r\n"
    )

    /// Checks that a connection's response was read, and the connection behind it as well; returns the text report.
    private func report(on messages: [Message], expecting status: authscan.ExitStatus = .findings) throws -> String {
        let ordinary = [Self.request("\r\n"), Self.refusal]
        let path = try file(Self.capture([messages, ordinary]))
        let json = run("--format", "json", path)
        #expect(json.status == status)
        #expect(json.complaints.isEmpty)
        for connection in 1...2 {
            #expect(json.output.contains(#""connection":\#(connection),"stream":null,"request":{"#))
        }
        #expect(json.output.matches(of: /"response":{"packet":[0-9]+,[^{}]*"status":401/).count == 2)
        return run(path).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("a head without end")
    func readsAHeadWithoutEnd() throws {
        let endless = Self.request(String(repeating: "X-Field: value\r\n", count: 40_000))
        // That the client did not answer is not sure where its messages are not known in full.
        let text = try report(on: [endless, Self.refusal], expecting: .success)
        #expect(text.contains("the limit of 262144 bytes of one message head was met 1 time"))
        #expect(text.contains("the head of a message is not whole"))
        // Short of the limit, it ends with the connection.
        let short = try report(on: [Self.request("X-Field: value\r\n"), Self.refusal])
        #expect(!short.contains("limit"))
    }

    @Test("a header line of 10 MB, and the messages behind it")
    func readsALongLine() throws {
        let long = Self.request("X-Long: \(String(repeating: "a", count: 10_000_000))\r\n\r\n")
        let next = [
            Self.request("Authorization: Basic YTpi\r\n\r\n"), Self.response("200 OK", "Content-Length: 0\r\n"),
        ]
        let text = try report(on: [long, Self.refusal] + next)
        #expect(text.contains("the limit of 262144 bytes of one message head was met 1 time"))
        #expect(text.contains("3 transactions") && text.contains("1 exchange (1 accepted)"))
    }

    @Test("a token of 1 MB of base64", arguments: ["NTLM", "Negotiate", "Basic", "Bearer", "Other"])
    func readsALongToken(scheme: String) throws {
        let token = String(repeating: "TlRM", count: 250_000)
        let text = try report(on: [Self.request("Authorization: \(scheme) \(token)\r\n\r\n"), Self.refusal])
        #expect(text.contains("the limit of 131072 bytes of one field value was met 1 time"))
        #expect(text.contains("1 exchange"))
        #expect(text.utf8.count < 1 << 14)
    }

    @Test(
        "a Content-Length of 2⁶⁴, or none that is a number",
        arguments: ["18446744073709551616", "-1", "5, 6", "0x10"]
    )
    func readsImpossibleLengths(length: String) throws {
        let refusal = Self.response(
            "401 Unauthorized",
            "WWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: \(length)\r\n"
        )
        let next = [
            Self.request("Authorization: Basic YTpi\r\n\r\n"), Self.response("200 OK", "Content-Length: 0\r\n"),
        ]
        let text = try report(on: [Self.request("\r\n"), refusal] + next)
        #expect(text.contains("3 transactions"))
        #expect(text.contains("1 exchange (1 accepted)"))
    }
}

// MARK: - Text that acts

extension BadInputTests {
    /// What stands for ☠: clears the screen, sets the title, turns the text around, hides, and ends a line.
    private static let evil = "\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\u{2066}\u{200B}\u{2028}\u{85}"

    private func expectHarmless(_ run: Run, sourceLocation: SourceLocation = #_sourceLocation) {
        for text in [run.output, run.complaints] {
            let acting = text.unicodeScalars.filter { scalar in
                scalar != "\n"
                    && (scalar.value < 0x20 || Self.evil.unicodeScalars.contains(scalar) && scalar.value > 0x7E)
            }
            #expect(acting.isEmpty, "\(acting.map(\.value))", sourceLocation: sourceLocation)
        }
    }

    @Test(
        "terminal escapes and bidirectional overrides in every text of a capture",
        arguments: [
            "> GET /a☠b?c☠=☠\n< 401", "> G☠ET /a\n< 401", "> GET /a\n< 401 No☠",
            "> GET http://a☠.example/☠\n< 401", "> CONNECT a☠.example:443\n< 407",
            "> GET /a\n  Host: a☠.example\n< 401", "> GET /a\n  User-Agent: ☠\n< 403\n> GET /a\n< 200",
            "> GET /a\n< 401\n  WWW-Authenticate: Basic realm=\"a☠\", ☠=\"☠\"",
            "> GET /a\n< 401\n  WWW-Authenticate: Ba☠sic realm=\"a\"",
            "> GET /a\n  Authorization: Ba☠sic YTpi\n< 401",
            "> GET /a\n  Authorization: Basic {basic al☠ice:b}\n< 401\n  WWW-Authenticate: Basic realm=\"a\"",
            "> GET /a\n  Authorization: Digest username=\"☠\", realm=\"☠\", uri=\"☠\"\n< 401",
            "> GET /a\n  Authorization: Bearer {jwt sub=a☠ ☠=1}\n< 401",
            "> GET /a\n  Authorization: Negotiate {KRB-ERROR code=41 text=a☠}\n< 401",
            "> GET /a\n  Authorization: Negotiate {AP-REQ service=HTTP/a☠ realm=☠}\n< 401",
            "> GET /a\n  Cookie: a☠=☠\n< 401\n  Set-Cookie: s☠=☠; Path=/☠",
            "> GET /a\n< 302\n  Location: /☠\n  Set-Cookie: s☠=1\n> GET /☠\n< 401",
            """
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE domain=☠ workstation=☠}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=C☠ computer=W☠ dns-domain=☠}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=a☠ domain=b☠ workstation=c☠}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )
    func escapesCapturedText(conversation: String) throws {
        let transcript = "connection 1\n\(conversation.replacing("☠", with: Self.evil))\nclosed by client"
        let path = try file(try Transcript(transcript).capture().bytes)
        for arguments in [[path], ["--format", "json", "--show-secrets", path], ["--color", "always", path]] {
            var console = RecordingConsole()
            let status = Main.run(arguments, &console)
            #expect(status == .success || status == .findings)
            #expect(!console.output.isEmpty)
            let output = arguments[0] == "--color" ? console.output.replacing(/\e\[[0-9;]*m/, with: "") : console.output
            expectHarmless(Run(status: status, output: output, complaints: console.complaints))
        }
    }

    @Test("the same in the file's name and in every word of the command line")
    func escapesArguments() throws {
        let name = "a\(Self.evil).pcap"
        let capture = try Transcript(Self.broken).capture().bytes
        let cut = try file(capture.dropLast(3), named: name)
        for arguments in [
            [cut], ["--format", "json", cut], ["--host", Self.evil, cut], ["--output", cut, cut],
            ["--output", cut + "/none", cut], ["--keylog", cut + "-none", cut],
            [try file([], named: name)], [try file(Array("text".utf8), named: name)], [cut + "-none"],
            ["--format", Self.evil, cut], ["--\(Self.evil)"], ["explain", Self.evil], ["rules", Self.evil],
            ["decode", Self.evil], ["decode", "WWW-Authenticate: Basic realm=\"\(Self.evil)\""], ["help\(Self.evil)"],
        ] {
            var console = RecordingConsole()
            let status = Main.run(arguments, &console)
            #expect(!(console.output + console.complaints).isEmpty)
            expectHarmless(Run(status: status, output: console.output, complaints: console.complaints))
        }
    }
}
