import Testing

@testable import AuthScanWire

@Suite struct HTTP2SessionTests {
    private typealias Frames = HTTP2Frames

    @Test("streams are interleaved, and each response finds its request")
    func pairsByStream() throws {
        let capture = try analyze {
            $0.client(bytes: Frames.preface + Frames.settings + Frames.request(1, "/a") + Frames.request(3, "/b"))
            $0.server(bytes: Frames.settings + Frames.response(3, 401) + Frames.response(1, 200, ends: false))
            $0.server(bytes: Frames.data(1, "hello", ends: false) + Frames.data(1, "!"))
        }
        #expect(capture.summaries == ["GET /a → 200", "GET /b → 401"])
        #expect(capture.transactions.map(\.stream) == [1, 3])
        let first = try #require(capture.transactions.first)
        #expect(first.request?.version == "HTTP/2")
        #expect(first.response?.version == "HTTP/2")
        #expect(first.request?.fields.text(of: .host) == "intranet.example")
        #expect(first.response?.fields.text(of: .server) == "s")
        #expect(first.response?.bodyBytes == 6)
        #expect(first.response?.isBodyComplete == true)
        #expect(first.isPairingCertain)
        #expect(capture.connections.first?.applicationProtocol == .http2)
    }

    @Test("any segmentation gives the same transactions", arguments: [1, 2, 5, 11])
    func readsPieces(size: Int) throws {
        let client = Frames.preface + Frames.settings + Frames.request(1, "/a")
        let server = Frames.settings + Frames.response(1, 200, ends: false) + Frames.data(1, "hello")
        let capture = try analyze { conversation in
            for (bytes, isClient) in [(client, true), (server, false)] {
                for start in stride(from: 0, to: bytes.count, by: size) {
                    let piece = Array(bytes[start..<min(bytes.count, start + size)])
                    if isClient { conversation.client(bytes: piece) } else { conversation.server(bytes: piece) }
                }
            }
        }
        #expect(capture.summaries == ["GET /a → 200"])
        #expect(capture.transactions.first?.response?.bodyBytes == 5)
    }

    @Test("padding, priority and continuation frames are taken off the header block")
    func joinsBlocks() throws {
        let block = Frames.block([(":method", "POST"), (":path", "/c"), ("cookie", "a=1"), ("cookie", "b=2")])
        let padded = [3] + [0, 0, 0, 0, 16] + Array(block.prefix(10)) + [0, 0, 0]
        let capture = try analyze {
            $0.client(
                bytes: Frames.preface + Frames.frame(1, flags: 0x28, stream: 1, padded)
                    + Frames.frame(9, stream: 1, Array(block[10..<20]))
                    + Frames.frame(9, flags: 4, stream: 1, Array(block[20...]))
            )
        }
        #expect(capture.summaries == ["POST /c → –"])
        #expect(capture.transactions.first?.request?.fields.text(of: .cookie) == "a=1; b=2")
        #expect(capture.transactions.first?.request?.isHeadComplete == true)
    }

    @Test("interim responses and trailers are no responses of their own")
    func passesInterimAndTrailers() throws {
        let capture = try analyze {
            $0.client(bytes: Frames.preface + Frames.request(1, "/a", ends: false))
            $0.server(bytes: Frames.settings + Frames.response(1, 103, ends: false))
            $0.client(bytes: Frames.data(1, "x", ends: false) + Frames.headers(1, [("x-t", "1")]))
            $0.server(bytes: Frames.response(1, 200, ends: false) + Frames.headers(1, [("grpc-status", "0")]))
        }
        #expect(capture.summaries == ["GET /a → 200"])
        #expect(capture.transactions.first?.interimStatuses == [103])
        #expect(capture.transactions.first?.request?.isBodyComplete == true)
        #expect(capture.transactions.first?.response?.isBodyComplete == true)
    }

    @Test("resets and the end of the connection are kept with their codes")
    func keepsErrors() throws {
        let goAway = bigEndian(UInt32(1)) + bigEndian(UInt32(13)) + Array("use 1.1".utf8)
        let capture = try analyze {
            $0.client(bytes: Frames.preface + Frames.request(1, "/a") + Frames.request(3, "/b"))
            $0.server(bytes: Frames.settings + Frames.reset(1, 13) + Frames.frame(7, stream: 0, goAway))
            $0.client(bytes: Frames.reset(3, 8))
            $0.server(bytes: Frames.response(3, 200))
        }
        #expect(capture.summaries == ["GET /a → –", "GET /b → 200"])
        let http2 = try #require(capture.http2Connections.first)
        #expect(http2.resets.map(\.code) == [.http11Required, .cancel])
        #expect(http2.resets.map(\.from) == [.server, .client])
        #expect(http2.goAways.first?.code.description == "HTTP_1_1_REQUIRED")
        #expect(http2.goAways.first?.debugData == "use 1.1")
        #expect(http2.goAways.first?.lastStream == 1)
    }

    @Test("a promised request is one, and its response comes on its own stream")
    func readsPushPromises() throws {
        let promise = bigEndian(UInt32(2)) + Frames.block([(":method", "GET"), (":path", "/style.css")])
        let capture = try analyze {
            $0.client(bytes: Frames.preface + Frames.request(1, "/a"))
            $0.server(bytes: Frames.settings + Frames.frame(5, flags: 4, stream: 1, promise) + Frames.response(1, 200))
            $0.server(bytes: Frames.response(2, 304))
        }
        #expect(capture.summaries == ["GET /a → 200", "GET /style.css → 304"])
    }

    @Test("CONNECT names an authority, extended CONNECT a path")
    func readsConnect() throws {
        let capture = try analyze {
            $0.client(bytes: Frames.preface + Frames.headers(1, [(":method", "CONNECT"), (":authority", "a:443")]))
            $0.client(
                bytes: Frames.headers(
                    3,
                    [(":method", "CONNECT"), (":protocol", "websocket"), (":path", "/chat"), (":authority", "b")]
                )
            )
        }
        #expect(capture.summaries == ["CONNECT a:443 → –", "CONNECT /chat → –"])
    }

    /// RFC 7540 §3.2.
    @Test("an upgrade makes the HTTP/1 request stream 1")
    func readsUpgrades() throws {
        let capture = try analyze {
            $0.client("GET /u HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n")
            $0.server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n")
            $0.client(bytes: Frames.preface + Frames.settings)
            $0.server(bytes: Frames.settings + Frames.response(1, 401))
            $0.client(bytes: Frames.request(3, "/v"))
            $0.server(bytes: Frames.response(3, 200))
        }
        #expect(capture.summaries == ["GET /u → 401", "GET /v → 200"])
        #expect(capture.transactions.first?.interimStatuses == [101])
    }

    @Test("a gap inside a body damages that body alone")
    func survivesGapsInBodies() throws {
        let data = Frames.data(1, "0123456789")
        let capture = try analyze {
            $0.client(bytes: Frames.preface + Frames.request(1, "/a") + Frames.request(3, "/b"))
            $0.server(bytes: Frames.settings + Frames.response(1, 200, ends: false) + data.prefix(12))
            $0.lostFromServer("3456")
            $0.server(bytes: Array(data.suffix(3)) + Frames.response(3, 401))
            $0.acknowledge(fromClient: true)
        }
        #expect(capture.summaries == ["GET /a → 200", "GET /b → 401"])
        #expect(capture.transactions.map { $0.response?.isBodyComplete } == [false, true])
    }

    @Test("behind lost frames, what stands on its own is read, and a status that refers to a lost entry is not")
    func survivesLostHeaderState() throws {
        // :status 401 as an entry added to the table (index 8 names it), then by reference.
        let added = Frames.frame(1, flags: 5, stream: 1, [0x48, 3, 0x34, 0x30, 0x31])
        let referred = Frames.frame(1, flags: 5, stream: 3, [0xBE])
        let capture = try analyze {
            $0.client(bytes: Frames.preface + Frames.request(1, "/a") + Frames.request(3, "/b"))
            $0.client(bytes: Frames.request(5, "/c") + Frames.request(7, "/d"))
            $0.server(bytes: Frames.settings)
            $0.lostFromServer(String(repeating: "x", count: added.count))
            $0.server(bytes: referred + Frames.response(5, 403))
            $0.server(bytes: Frames.frame(1, flags: 5, stream: 7, [0x48, 3, 0x35, 0x30, 0x33]))
            $0.acknowledge(fromClient: true)
        }
        #expect(capture.summaries == ["GET /a → –", "GET /b → –", "GET /c → 403", "GET /d → 503"])
        #expect(capture.http2Connections.first?.lacksHeaderState == true)
    }

    @Test("a few bytes that stand for megabytes of fields are cut at the limit")
    func limitsFields() throws {
        let value = String(repeating: "v", count: 100)
        // Adds one long field to the table, then refers to it again and again.
        let long = [0x40, 1, 0x78, 100] + Array(value.utf8)
        let block = [0x82, 0x84] + long + [UInt8](repeating: 0xBE, count: 16_000)
        let capture = try analyze {
            $0.client(bytes: Frames.preface + Frames.frame(1, flags: 5, stream: 1, block))
            $0.server(bytes: Frames.settings + Frames.response(1, 200))
        }
        #expect(capture.summaries == ["GET / → 200"])
        #expect(capture.transactions.first?.request?.isHeadComplete == false)
    }

    @Test("what would break a line of HTTP/1 breaks nothing")
    func keepsLinesWhole() throws {
        let fields = [(":method", "GET"), (":path", "/a b\r\nc"), ("user-agent", "x\r\nauthorization: y")]
        let capture = try analyze { $0.client(bytes: Frames.preface + Frames.headers(1, fields)) }
        #expect(capture.summaries == ["GET /a%20b%0D%0Ac → –"])
        #expect(capture.transactions.first?.request?.fields.contains(.authorization) == false)
    }

    /// A conversation whose start the capture lacks.
    private func midstream(
        clientPort: UInt16 = 50101,
        _ write: (inout TestConversation) -> Void
    ) throws -> WireCapture {
        var conversation = TestConversation(clientPort: clientPort, handshake: false)
        write(&conversation)
        return try analyze(conversation.segments)
    }

    @Test("frames are recognised without the preface, and what refers to lost entries is left open")
    func beginsMidstream() throws {
        let capture = try midstream {
            $0.client(bytes: Frames.frame(1, flags: 5, stream: 101, [0x82, 0x86, 0xBE, 0xBF]))
            $0.server(bytes: Frames.response(101, 200))
            $0.client(bytes: Frames.request(103, "/k"))
            $0.server(bytes: Frames.response(103, 401))
        }
        #expect(capture.summaries == ["– → 200", "GET /k → 401"])
        #expect(capture.connections.first?.applicationProtocol == .http2)
        #expect(capture.http2Connections.first?.lacksHeaderState == true)
    }

    @Test("in each direction the first packet with frames is where reading begins, and they say who is the client")
    func findsFramesMidstream() throws {
        let capture = try midstream(clientPort: 70) {
            $0.server("the rest of a body")
            $0.client(bytes: Frames.request(7, "/a"))
            $0.server("and more of it")
            $0.server(bytes: Frames.data(5, "end") + Frames.response(7, 401))
        }
        #expect(capture.summaries == ["GET /a → 401"])
        #expect(capture.connections.first?.client.port == 70)
    }

    @Test("a connection from its start, or of another protocol, does not become HTTP/2 by what looks like frames")
    func needsALostStart() throws {
        let frames = Frames.request(7, "/a") + Frames.request(9, "/b")
        #expect(try analyze { $0.client(bytes: frames) }.http2Connections.isEmpty)
        let http1 = try midstream {
            $0.client("GET /c HTTP/1.1\r\nHost: a\r\n\r\n")
            $0.server(bytes: frames)
        }
        #expect(http1.http2Connections.isEmpty && http1.connections.first?.applicationProtocol == .http11)
    }
}
