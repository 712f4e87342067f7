import AuthScanBytes
import Testing

@testable import AuthScanWire

private let get = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

/// Messages of one connection, and the transactions that they make.
@Suite struct TransactionAssemblerTests {
    @Test func aRequestAndItsResponseAreOneTransaction() throws {
        let capture = try analyze {
            $0.client(get); $0.server(ok); $0.close()
        }
        let transaction = try #require(capture.transactions.first)
        #expect(capture.summaries == ["GET / → 200"])
        #expect(transaction.request?.fields.text(of: .host) == "a.example")
        #expect(transaction.request?.evidence.firstPacket == 4)
        #expect(transaction.response?.evidence.headPacket == 5)
        #expect(transaction.response?.bodyBytes == 2)
        #expect(transaction.request?.isBodyComplete == true && transaction.response?.isBodyComplete == true)
        #expect(transaction.isPairingCertain && transaction.number == 1 && transaction.connection == 1)
        #expect(capture.connections.first?.applicationProtocol == .http11)
    }

    @Test func packetsAndTimesOfAMessageAreThoseOfItsParts() throws {
        let capture = try analyze {
            $0.client(get)
            $0.server("HTTP/1.1 200 OK\r\nContent-")
            $0.server("Length: 6\r\n\r\nab")
            $0.server("cdef")
        }
        let evidence = try #require(capture.transactions.first?.response?.evidence)
        #expect([evidence.firstPacket, evidence.headPacket, evidence.lastPacket] == [5, 6, 7])
        #expect(evidence.lastTime.seconds(since: evidence.firstTime) == 0.002)
    }

    @Test func pipelinedRequestsArePairedInOrder() throws {
        let capture = try analyze {
            $0.client("GET /1 HTTP/1.1\r\n\r\nHEAD /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n")
            $0.server(ok + "HTTP/1.1 404 No\r\nContent-Length: 500\r\n\r\nHTTP/1.1 401 U\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(capture.summaries == ["GET /1 → 200", "HEAD /2 → 404", "GET /3 → 401"])
    }

    @Test func chunkedBodiesEndWithTheirTrailers() throws {
        let body = "4;name=value\r\nWiki\r\n5 \r\npedia\r\n0\r\nTrailer: x\r\n\r\n"
        let capture = try analyze {
            $0.client(get + get)
            $0.server("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\nContent-Length: 3\r\n\r\n" + body + ok)
        }
        #expect(capture.summaries == ["GET / → 200", "GET / → 200"])
        #expect(capture.transactions.first?.response?.bodyBytes == body.utf8.count)
        #expect(capture.transactions.first?.response?.isBodyComplete == true)
    }

    @Test(arguments: ["zz\r\n", ";\r\n", "FFFFFFFFFFFFFFFFFFFF\r\n", "2\r\nabc\r\n"])
    func aBrokenChunkIsGivenUpUntilTheNextStartLine(chunk: String) throws {
        let capture = try analyze {
            $0.client(get)
            $0.server("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk)
            $0.client(get)
            $0.server(ok)
        }
        #expect(capture.summaries == ["GET / → 200", "GET / → 200"])
        #expect(capture.transactions.first?.response?.isBodyComplete == false)
    }

    @Test(arguments: [("z", 1), ("5\r\nhello\r\n1z", 12), ("2\r\nabc", 6)])
    func bytesUpToABreakCountAmongTheBody(chunk: String, counted: Int) throws {
        let capture = try analyze {
            $0.client(get)
            $0.server("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk)
        }
        #expect(capture.transactions.first?.response?.bodyBytes == counted)
    }

    @Test func aBodyWithoutLengthEndsWithTheConnection() throws {
        let capture = try analyze {
            $0.client(get)
            $0.server("HTTP/1.0 200 OK\r\n\r\nsome text")
            $0.finish(fromClient: false)
        }
        #expect(capture.transactions.first?.response?.bodyBytes == 9)
        #expect(capture.transactions.first?.response?.isBodyComplete == true)
        let cut = try analyze {
            $0.client(get); $0.server("HTTP/1.0 200 OK\r\n\r\nsome text")
        }
        #expect(cut.transactions.first?.response?.isBodyComplete == false)
    }

    @Test(arguments: ["204 No Content", "304 Not Modified"])
    func someResponsesHaveNoBodyWhateverTheyState(status: String) throws {
        let capture = try analyze {
            $0.client(get + get)
            $0.server("HTTP/1.1 \(status)\r\nContent-Length: 100\r\n\r\n" + ok)
        }
        #expect(capture.summaries.last == "GET / → 200")
    }

    @Test func interimResponsesBelongToTheNextFinalOne() throws {
        let capture = try analyze {
            $0.client("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
            $0.server("HTTP/1.1 100 Continue\r\n\r\n")
            $0.client("x")
            $0.server("HTTP/1.1 103 Early Hints\r\n\r\n" + ok)
        }
        #expect(capture.summaries == ["POST / → 200"])
        #expect(capture.transactions.first?.interimStatuses == [100, 103])
        #expect(capture.transactions.first?.request?.evidence.lastPacket == 6)
    }

    @Test func lineEndsFoldsAndEmptyLinesAreTakenAsTheyCome() throws {
        let capture = try analyze {
            $0.client("GET /1 HTTP/1.1\nAuthorization: Basic\n\tYTpi\n  \nCookie: a\nCookie: b\nHost :x\n\n\r\n\r\n")
            $0.server(ok)
            $0.client("\r\nX-ODD!METHOD /2 HTTP/1.1\r\n\r\n")
            $0.server("\r\nHTTP/1.1 200\r\nContent-Length: 0\r\n\r\n")
        }
        let fields = try #require(capture.transactions.first?.request?.fields)
        #expect(capture.summaries == ["GET /1 → 200", "X-ODD!METHOD /2 → 200"])
        #expect(fields.text(of: .authorization) == "Basic YTpi")
        #expect(fields.texts(of: .cookie) == ["a", "b"])
        #expect(fields.text(of: .host) == "x")
    }

    @Test(arguments: ["*", "http://a.example/x", "/a b", "a.example:80"])
    func anyFormOfTargetIsKept(target: String) throws {
        #expect(try analyze { $0.client("GET \(target) HTTP/1.1\r\n\r\n") }.summaries == ["GET \(target) → –"])
    }

    @Test func aTunnelIsRecognisedAfresh() throws {
        let capture = try analyze {
            $0.client("CONNECT a.example:80 HTTP/1.1\r\n\r\n")
            $0.server("HTTP/1.1 407 Denied\r\nContent-Length: 0\r\n\r\n")
            $0.client("CONNECT a.example:80 HTTP/1.1\r\n\r\n")
            $0.server("HTTP/1.1 200 Established\r\nContent-Length: 40\r\n\r\n")
            $0.client("GET /in HTTP/1.1\r\n\r\n")
            $0.server(ok)
        }
        let expected = ["CONNECT a.example:80 → 407", "CONNECT a.example:80 → 200", "GET /in → 200"]
        #expect(capture.summaries == expected)
        #expect(capture.transactions.map(\.tunnel) == [nil, nil, "a.example:80"])
    }

    @Test func tlsInsideATunnelIsEncrypted() throws {
        let capture = try analyze {
            $0.client("CONNECT a.example:443 HTTP/1.1\r\n\r\n")
            $0.server("HTTP/1.1 200 Established\r\n\r\n")
            $0.client(bytes: [0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])
        }
        #expect(capture.connections.first?.applicationProtocol == .tls)
        #expect(capture.connections.first?.isEncrypted == true)
        #expect(capture.transactions.count == 1)
    }

    @Test(arguments: [("websocket", ApplicationProtocol.webSocket), ("h2c", .http2), ("IRC/6.9", .other)])
    func anUpgradeEndsHTTP(name: String, expected: ApplicationProtocol) throws {
        let capture = try analyze {
            $0.client("GET /chat HTTP/1.1\r\nUpgrade: \(name)\r\nConnection: Upgrade\r\n\r\n")
            $0.server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: \(name)\r\n\r\n")
            $0.client("GET /no HTTP/1.1\r\n\r\n")
        }
        #expect(capture.summaries == ["GET /chat → 101"])
        #expect(capture.connections.first?.applicationProtocol == expected)
    }

    @Test func otherProtocolsAreNamedOrPassedOver() throws {
        let tls = try analyze { $0.client(bytes: [0x16, 3, 3, 0, 5, 1, 0, 0, 1, 0]) }
        #expect(tls.connections.first?.applicationProtocol == .tls)
        let http2 = try analyze { $0.client("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") }
        #expect(http2.connections.first?.applicationProtocol == .http2)
        let lines = [
            "INVITE sip:a SIP/2.0\r\n\r\n", "DESCRIBE rtsp://a RTSP/1.0\r\n\r\n", "SSH-2.0-x\r\n", "GET /old\r\n",
            "GET HTTP/1.1\r\n", "\u{0}\u{1}GET / HTTP/1.1\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 2x0\r\n\r\n",
        ]
        for line in lines {
            let capture = try analyze {
                $0.client(line); $0.server(line)
            }
            #expect(capture.transactions.isEmpty && capture.connections.first?.applicationProtocol == .other)
        }
    }

    @Test func httpFollowsTheHandshakeOfASocksProxy() throws {
        let capture = try analyze {
            $0.client(bytes: [5, 1, 0])
            $0.server(bytes: [5, 0])
            $0.client(get)
            $0.server(ok)
        }
        #expect(capture.summaries == ["GET / → 200"])
    }

    @Test(arguments: ["18446744073709551616", "-1", "x", "1, 2", ""])
    func anImpossibleLengthLosesNothingButTheBody(length: String) throws {
        let capture = try analyze {
            $0.client("POST /1 HTTP/1.1\r\nContent-Length: \(length)\r\n\r\n12")
            $0.server("HTTP/1.1 400 Bad\r\nContent-Length: \(length)\r\n\r\n12")
            $0.client(get)
            $0.server(ok)
        }
        #expect(capture.summaries == ["POST /1 → 400", "GET / → 200"])
        #expect(capture.transactions.first?.request?.isBodyComplete == false)
    }

    @Test func anEqualLengthStatedTwiceIsOneLength() throws {
        let capture = try analyze {
            $0.client("POST /1 HTTP/1.1\r\nContent-Length: 2, 2\r\nContent-Length: 2\r\n\r\n12" + get)
        }
        #expect(capture.summaries == ["POST /1 → –", "GET / → –"])
        #expect(capture.transactions.first?.request?.isBodyComplete == true)
    }

    @Test func aHeadThatTheCaptureCutsCountsWhereItsStartLineIsWhole() throws {
        let capture = try analyze { $0.client("GET /cut HTTP/1.1\r\nHost: a.exa") }
        #expect(capture.summaries == ["GET /cut → –"])
        #expect(capture.transactions.first?.request?.isHeadComplete == false)
        #expect(capture.transactions.first?.request?.fields.text(of: .host) == "a.exa")
        #expect(try analyze { $0.client("GET /cut HT") }.transactions.isEmpty)
    }

    @Test func aHeadLineOfTenMegabytesIsCutAtTheLimit() throws {
        let part = String(repeating: "x", count: 50_000)
        let capture = try analyze {
            $0.client("GET /long HTTP/1.1\r\nCookie: ")
            for _ in 0..<200 { $0.client(part) }
            $0.client("\r\n\r\n")
            $0.client(get)
        }
        #expect(capture.summaries == ["GET /long → –", "GET / → –"])
        #expect(capture.transactions.first?.request?.isHeadComplete == false)
        #expect(capture.transactions.first?.request?.fields.first(.cookie)?.count == Limits().fieldValueBytes)
    }

    @Test func transactionsBeyondTheLimitAreCounted() throws {
        var limits = Limits()
        limits.transactions = 2
        var conversation = TestConversation()
        for _ in 0..<5 {
            conversation.client(get)
            conversation.server(ok)
        }
        let capture = try analyze(conversation.segments, limits: limits)
        #expect(capture.summaries == ["GET / → 200", "GET / → 200"])
        #expect(capture.transactionsLeftOut == 3)
        #expect(capture.limitsExceeded == [LimitExceeded(limit: "transactions", value: 2, leftOut: 3)])
    }

    @Test func requestsBeyondThePipelineAreCounted() throws {
        var limits = Limits()
        limits.pipelineDepth = 1
        var conversation = TestConversation()
        conversation.client(get + get + get)
        conversation.server(ok)
        let capture = try analyze(conversation.segments, limits: limits)
        #expect(capture.summaries == ["GET / → 200", "GET / → –", "GET / → –"])
        #expect(capture.limitsExceeded.map(\.leftOut) == [2])
    }

    @Test func repeatedValuesAreKeptApartThoughStoredOnce() throws {
        let head = "GET / HTTP/1.1\r\nUser-Agent: Mozilla/5.0 (made up, long)\r\nHost: a\r\n\r\n"
        let capture = try analyze { $0.client(head + head) }
        let agents = capture.transactions.map { $0.request?.fields.text(of: .userAgent) }
        #expect(agents == ["Mozilla/5.0 (made up, long)", "Mozilla/5.0 (made up, long)"])
        #expect(capture.transactions.map { $0.request?.fields.count } == [2, 2])
    }
}
