import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanDiagnosis

@Suite struct AccountTableTests {
    private static func sessions(in transcript: String) throws -> Sessions {
        SessionBuilder.build(from: try readCapture(try Transcript(transcript).capture(.plain).bytes))
    }

    /// What one client sends, and the answer to it.
    private static func login(_ connection: Int, _ credential: String, _ answer: Int, host: String = "a.example")
        -> String
    {
        """
        connection \(connection) from 192.0.2.\(connection)
        > GET /app
          Host: \(host)
          Authorization: Basic {\(credential)}
        < \(answer)\(answer == 401 ? "\n  WWW-Authenticate: Basic realm=\"app\"" : "")

        """
    }

    /// The form and the charset in which what client 1 sent is accepted elsewhere.
    private static func accepted(in transcript: String) throws -> (form: String?, charset: BasicCredentials.Charset?) {
        let sessions = try sessions(in: transcript)
        let table = AccountTable.table(of: sessions, .one, beside: {}, and: {}).0
        let session = try #require(sessions.sessions.first)
        let basic = try #require(session.exchanges.first?.lastLeg.credentials.basic)
        return (table.acceptedForm(of: basic, in: session.space), table.acceptedCharset(of: basic, in: session.space))
    }

    @Test(
        "another form of a name counts with the same password, at the same server",
        arguments: [
            ("basic alice:secret", "a.example", "alice"),
            ("basic alice@corp.example:secret", "a.example", "alice@corp.example"),
            ("basic CORP\\alice:secret", "a.example", nil), ("basic alice:other", "a.example", nil),
            ("basic bob:secret", "a.example", nil), ("basic Corp\\Alice:secret", "a.example", nil),
            ("basic alice:secret", "b.example", nil),
        ] as [(String, String, String?)]
    )
    func findsOtherForms(credential: String, host: String, form: String?) throws {
        let transcript = Self.login(1, "basic CORP\\alice:secret", 401) + Self.login(2, credential, 200, host: host)
        #expect(try Self.accepted(in: transcript).form == form)
    }

    @Test func findsTheOtherCharset() throws {
        let refused = Self.login(1, "basic-latin1 jürgen:secret", 401)
        #expect(try Self.accepted(in: refused).charset == nil)
        #expect(try Self.accepted(in: refused + Self.login(2, "basic jürgen:secret", 200)).charset == .utf8)
        #expect(try Self.accepted(in: refused + Self.login(2, "basic jürgen:other", 200)).charset == nil)
        let converse = Self.login(1, "basic jürgen:secret", 401) + Self.login(2, "basic-latin1 jürgen:secret", 200)
        #expect(try Self.accepted(in: converse).charset == .latin1)
    }

    @Test func tellsServersOfBareNames() throws {
        let refused = Self.login(1, "basic CORP\\alice:secret", 401)
        for (accepted, isBare) in [
            ("", false), (Self.login(2, "basic bob:secret", 200), true),
            (Self.login(2, "basic bob:secret", 200) + Self.login(3, "basic CORP\\eve:secret", 200), false),
        ] {
            let sessions = try Self.sessions(in: refused + accepted)
            let space = try #require(sessions.sessions.first?.space)
            #expect(
                AccountTable.table(of: sessions, .one, beside: {}, and: {}).0.acceptsOnlyBareNames(in: space) == isBare
            )
        }
    }

    @Test(
        "MD5 is told from other algorithms",
        arguments: [("", true), (", algorithm=MD5", true), (", algorithm=SHA-256", false)]
    )
    func knowsClientsWithMD5(algorithm: String, isMD5: Bool) throws {
        let sessions = try Self.sessions(
            in: """
                connection 1
                > GET /app
                  Authorization: Digest username="alice", realm="app", nonce="n", uri="/app", response="00"\(algorithm)
                < 200
                """
        )
        let client = try #require(sessions.sessions.first?.client)
        #expect(AccountTable.table(of: sessions, .one, beside: {}, and: {}).0.answersDigestWithMD5(client) == isMD5)
    }

    @Test(
        "the bare name is what a domain stands before or behind",
        arguments: ["CORP\\alice", "alice@corp.example", "alice"]
    )
    func findsBareNames(name: String) throws {
        let sessions = try Self.sessions(in: Self.login(1, "basic \(name):secret", 200))
        let basic = try #require(sessions.exchanges.first?.lastLeg.credentials.basic)
        #expect(BasicCredentials.bareName(of: basic.userID) == "alice")
        #expect(basic.isQualified == (name != "alice"))
    }
}
