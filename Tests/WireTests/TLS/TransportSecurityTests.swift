import Testing

@testable import AuthScanWire

@Suite struct TransportSecurityTests {
    @Test(
        "each requirement is judged by the handshake",
        arguments: [
            ("GCM-256", []), ("TLS-1.1-CBC", [TransportSecurity.Requirement.tlsVersion]),
            ("RSA", [.forwardSecrecy, .keySize]), ("RSA-CBC", [.tlsVersion, .forwardSecrecy, .keySize]),
        ]
    )
    func judges(name: String, failures: [TransportSecurity.Requirement]) throws {
        let facts = try #require(TLSRecordings.sessions[name]).played().session.finish()
        let security = TransportSecurity(facts)
        #expect(security.failures == failures)
        #expect(security.isMet(.certificateHash) == true)
    }

    @Test("a server meets what it met on one of its connections")
    func joins() throws {
        let old = TransportSecurity(try #require(TLSRecordings.sessions["TLS-1.1-CBC"]).played().session.finish())
        let new = TransportSecurity(try #require(TLSRecordings.sessions["GCM-256"]).played().session.finish())
        #expect(old.joined(with: new).failures.isEmpty)
        #expect(old.joined(with: old).failures == [.tlsVersion])
        #expect(TransportSecurity.cleartext.failures == [.encryption])
        #expect(TransportSecurity.cleartext.isMet(.tlsVersion) == nil)
    }

    @Test("what is encrypted is not judged")
    func leavesUnknownOpen() throws {
        let session = try #require(TLSRecordings.sessions["TLS-1.3-certificate-none"])
        let security = TransportSecurity(session.played(keyLog: []).session.finish())
        #expect(security.failures.isEmpty)
        #expect(security.isMet(.tlsVersion) == true)
        #expect(security.isMet(.keySize) == nil)
    }
}
