import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanProof

@Suite struct KDCProverTests {
    /// A user asks for tickets as recorded, and logs in with them.
    private static let conversation = """
        kdc > hex \(RecordedTickets.initialRequest)
        kdc < hex \(RecordedTickets.initialReply)
        kdc > hex \(RecordedTickets.serviceRequest)
        kdc < hex \(RecordedTickets.serviceReply)
        connection 1
        > GET /nego/p1.html
          Authorization: \(RecordedTickets.authorization)
        < 200
          WWW-Authenticate: \(RecordedTickets.authenticate)
        """

    private func proofs(_ password: String, _ transcript: String = conversation) throws -> (Sessions, Proofs) {
        var secrets = KnownSecrets()
        secrets.passwords = [KnownSecrets.Password(user: "alice", text: Secret(password))]
        let sessions = try sessions(of: transcript)
        return (sessions, ExchangeProver.prove(sessions, tls: [], with: secrets))
    }

    @Test("the password opens the time, the ticket's key, the service ticket's key, and what the service is sent")
    func followsKeys() throws {
        let (sessions, proofs) = try proofs("Lab-Pass-1!")
        #expect(sessions.kdcExchanges.count == 2)
        let initial = proofs[kdcExchange: 1]
        #expect(initial.map(\.subject) == [.kerberosTimestamp, .kerberosInitialReply])
        let service = proofs[kdcExchange: 2]
        #expect(service.map(\.subject) == [.kerberosRequestAuthenticator, .kerberosServiceReply])
        #expect((initial + service).map(\.verdict) == [.right, .right, .right, .right])
        let login = try #require(proofs[exchange: 1])
        #expect(login.proofs.map(\.subject) == [.kerberosSessionKey, .kerberosAuthenticator, .kerberosReply])
        #expect(login.proofs.allSatisfy { $0.verdict == .right } && login.conclusion == .rightAndAccepted)
        #expect(login.proofs[1].details.first?.value == .text("alice@CORP.EXAMPLE"))
        #expect(
            login.proofs[0].details.last?.value
                == .text("the secret of alice@CORP.EXAMPLE, by the AS-REP in packet 2, and the TGS-REP in packet 4")
        )
    }

    @Test("with another password nothing follows")
    func stopsAtWrongPassword() throws {
        let (_, proofs) = try proofs("Lab-Pass-2!")
        #expect(proofs[kdcExchange: 1].map(\.verdict) == [.wrong, .wrong])
        #expect(proofs[kdcExchange: 2].isEmpty && proofs[exchange: 1]?.conclusion == .cannotTell)
    }

    @Test("without the AS-REP the service's keys stay closed")
    func needsEveryLink() throws {
        let lines = Self.conversation.split(separator: "\n").enumerated().filter { $0.offset != 1 }
        let (_, proofs) = try proofs("Lab-Pass-1!", lines.map(\.element).joined(separator: "\n"))
        #expect(proofs[kdcExchange: 1].map(\.verdict) == [.right])
        #expect(proofs[kdcExchange: 2].isEmpty && proofs[exchange: 1]?.conclusion == .cannotTell)
    }

    @Test("a salt that only the refusal before states is remembered")
    func remembersSalts() throws {
        var secrets = KnownSecrets()
        secrets.passwords = [KnownSecrets.Password(user: nil, text: Secret("Lab-Pass-1!"))]
        let transcript = """
            kdc > AS-REQ client=alice
            kdc < hex \(RecordedTickets.preauthenticationRequired)
            kdc > hex \(RecordedTickets.initialRequest)
            """
        let sessions = try sessions(of: transcript)
        let proofs = ExchangeProver.prove(sessions, tls: [], with: secrets)
        #expect(proofs[kdcExchange: 2].map(\.verdict) == [.right])
    }

    @Test("a user whom nothing is known about")
    func saysWhatIsMissing() throws {
        var secrets = KnownSecrets()
        secrets.passwords = [KnownSecrets.Password(user: "bob", text: Secret("Lab-Pass-1!"))]
        let sessions = try sessions(of: Self.conversation)
        let proofs = ExchangeProver.prove(sessions, tls: [], with: secrets)
        let reason = "no password is known for this user"
        #expect(proofs[kdcExchange: 1].map(\.verdict) == [.cannotTell(reason), .cannotTell(reason)])
    }
}
