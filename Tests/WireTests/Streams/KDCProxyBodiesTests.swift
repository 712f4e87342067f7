import AuthScanBytes
import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@Suite struct KDCProxyBodiesTests {
    private static let question = "  body {KDC-PROXY AS-REQ client=alice}\n"
    private static let answer = "  body {KDC-PROXY KRB-ERROR code=6}\n"

    private func records(_ transcript: String, limits: Limits = Limits()) throws -> [KDCRecord] {
        try capture(transcript, limits: limits).kdcRecords
    }

    private func capture(_ transcript: String, limits: Limits = Limits()) throws -> WireCapture {
        try readCapture(try Transcript(transcript).capture().bytes, limits: limits)
    }

    private func conversation(_ options: String = "", path: String = "/KdcProxy") -> String {
        "connection 1\(options)\n> POST \(path)\n\(Self.question)< 200\n\(Self.answer)"
    }

    @Test(
        "the bodies of both directions are kept, in every way of carrying them",
        arguments: ["", " over tls", " over http2", " over tls over http2", " without start"]
    )
    func keepsBodies(options: String) throws {
        let records = try records(conversation(options))
        #expect(records.map(\.isFromClient) == [true, false])
        #expect(records.allSatisfy { $0.isProxied && $0.connection == 1 && $0.missingBytes == 0 })
        #expect(records.allSatisfy { $0.bytes.withRevealed { $0.first } == 0x30 })
        #expect(records.map { $0.server.port } == [80, 80] && records.map { $0.client.port } == [50101, 50101])
    }

    @Test("chunks are put together, and a body until the end of the connection is one")
    func keepsFramedBodies() throws {
        let plain = try records(conversation())
        let chunked = conversation().replacing("  body", with: "  Transfer-Encoding: chunked\n  body")
        #expect(try records(chunked).map(\.bytes) == plain.map(\.bytes))
        let untilClose = conversation().replacing("< 200\n", with: "< 200\n  -Content-Length\n") + "closed by server"
        #expect(try records(untilClose).map(\.bytes) == plain.map(\.bytes))
    }

    @Test("bodies of other requests are passed over, and so is a GET")
    func passesOthersOver() throws {
        #expect(try records(conversation(path: "/KdcProxyPage")).isEmpty)
        #expect(try records(conversation(path: "/app?to=/KdcProxy")).isEmpty)
        #expect(try records(conversation().replacing("POST", with: "PUT")).isEmpty)
        #expect(try records(conversation(path: "/sub/KDCPROXY?a=1")).count == 2)
    }

    @Test("a body that lacks bytes is kept as far as it goes, and says so")
    func keepsCutBody() throws {
        let cut = conversation().replacing(Self.answer, with: "  Content-Length: 500\n" + Self.answer)
        let records = try records(cut + "closed by server")
        #expect(records.map(\.missingBytes) == [0, 1])
    }

    @Test("HTTP/2 that ends in the middle of a body leaves what came")
    func keepsBodyOfCutStream() throws {
        // HEADERS with :status 200, and four of the ten bytes that DATA announces.
        let answer = "< raw 0000010104000000018800000a0001000000013008a006\nclosed by server"
        let records = try records("connection 1 over http2\n> POST /KdcProxy\n\(Self.question)\(answer)")
        #expect(records.map(\.missingBytes) == [0, 1] && records.last?.bytes.byteCount == 4)
    }

    @Test("no more than the limits allow is kept, and what is left out is counted")
    func keepsLimits() throws {
        var limits = Limits()
        limits.kdcMessageBytes = 100
        let long = try capture(conversation(), limits: limits)
        #expect(long.kdcRecords.map(\.isFromClient) == [false] || long.kdcRecords.isEmpty)
        #expect(long.limitsExceeded.map(\.value) == [100])
        limits = Limits()
        limits.kdcMessages = 1
        let many = try capture(conversation(), limits: limits)
        #expect(many.kdcRecords.count == 1 && many.limitsExceeded.map(\.leftOut) == [1])
        limits = Limits()
        limits.kdcBytes = 50
        #expect(try capture(conversation(), limits: limits).limitsExceeded.map(\.value) == [50])
    }
}
