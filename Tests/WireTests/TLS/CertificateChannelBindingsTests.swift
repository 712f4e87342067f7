import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct CertificateChannelBindingsTests {
    /// MD5 of sixteen zero bytes, the length of the application data, and `tls-server-end-point:` with the certificate's
    /// SHA-256, computed with OpenSSL.
    @Test("the binding is MD5 over the structure of RFC 2744 with the certificate's hash")
    func bindsToTheCertificate() throws {
        let transcript = try Transcript("connection 1 to 198.51.100.20:443 over tls\n> GET /\n< 200")
        var analysis = CaptureAnalysis()
        analysis.beginFile(path: "memory.pcap", compression: nil)
        try analysis.receive(transcript.capture().bytes)
        try analysis.endFile()
        let capture = analysis.finish()
        #expect(capture.transactions.map(\.isSecure) == [true])
        let certificate = try #require(capture.tlsConnections.first?.serverCertificate)
        #expect(certificate.dnsNames == ["intranet.example"])
        #expect(certificate.channelBindings == bytes(hex: "67A42627328CA64F699F9B33F1BDEA4D"))
    }
}
