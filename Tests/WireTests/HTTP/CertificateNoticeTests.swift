import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct CertificateNoticeTests {
    private static let pages = [
        ("Reason: Cannot perform Post-Handshake Authentication.", CertificateNotice.postHandshakeAuthentication),
        ("<center>No required SSL certificate was sent</center>", .required),
        ("HTTP Error 403.7 - Forbidden", .required), ("<title>400 The SSL certificate error</title>", .refused),
        ("HTTP Error 403.16 - Forbidden", .refused), ("403.13 - Client certificate revoked", .refused),
    ]

    private static func notices(over layer: String, status: Int, page: String) throws -> [CertificateNotice?] {
        let transcript = """
            connection 1 to 198.51.100.20:443 \(layer)
            > GET /
            < \(status)
              body "\(page)"
            """
        let capture = try analyze([try Transcript(transcript).capture().bytes])
        return capture.transactions.map { $0.response?.certificateNotice }
    }

    @Test("what a page says is kept, in TLS", arguments: pages)
    func readsPages(page: String, notice: CertificateNotice) throws {
        #expect(try Self.notices(over: "over tls", status: 403, page: page) == [notice])
        #expect(try Self.notices(over: "over tls1.3", status: 400, page: page) == [notice])
        #expect(try Self.notices(over: "over tls over http2", status: 403, page: page) == [notice])
        #expect(try Self.notices(over: "over http2", status: 403, page: page) == [nil])
        #expect(try Self.notices(over: "over tls", status: 200, page: page) == [nil])
        #expect(try Self.notices(over: "", status: 403, page: page) == [nil])
    }

    @Test("another page says nothing")
    func passesOthersOver() throws {
        #expect(try Self.notices(over: "over tls", status: 403, page: "Forbidden 403. No required") == [nil])
        #expect(CertificateNotice.isPossible(401) == false)
    }
}
