import AuthScanSessions
import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanDiagnosis

@Suite struct DigestFaultsTests {
    private static let response = "00112233445566778899aabbccddeeff"

    /// The answer that fits `GET /app?x=1` and the usual challenge.
    private static let fitting = """
        username="alice", realm="app", nonce="n1", uri="/app?x=1", qop=auth, nc=00000001, cnonce="c", \
        opaque="o", algorithm=MD5, response="\(response)"
        """

    private static let challenge = #"Digest realm="app", nonce="n1", qop="auth,auth-int", opaque="o", algorithm=MD5"#

    /// The faults of each exchange of a conversation.
    private static func faults(in transcript: String) throws -> [DigestFault] {
        let capture = try readCapture(try Transcript(transcript).capture(.plain).bytes)
        let sessions = SessionBuilder.build(from: capture)
        let session = try #require(sessions.sessions.first)
        #expect(sessions.sessions.count == 1)
        let faults = DigestFaults(in: session)
        return session.exchanges.indices.map { faults[$0] }
    }

    private static func faults(ofAnswer answer: String, to challenge: String = challenge, fields: String = "") throws
        -> [DigestFault]
    {
        try faults(
            in: """
                connection 1
                > GET /app?x=1
                < 401
                  WWW-Authenticate: \(challenge)\(fields)
                > GET /app?x=1
                  Authorization: Digest \(answer)
                < 401
                  WWW-Authenticate: Digest realm="app", nonce="n2", qop="auth"
                """
        )
    }

    @Test func findsNothingInAFittingAnswer() throws {
        #expect(try Self.faults(ofAnswer: Self.fitting) == [[]])
    }

    @Test(
        "each fault is named",
        arguments: [
            (#"uri="/app?x=1""#, #"uri="/app""#, .uri),
            (#"uri="/app?x=1""#, #"uri="http://intranet.example/app?x=1""#, .absoluteURI),
            (#"username="alice""#, #"username="CORP\\alice""#, .domainPrefix),
            (#"username="alice""#, #"username="alice@app""#, .domainPrefix),
            (#"username="alice""#, #"username="CORP\alice""#, .escaping),
            (#"realm="app""#, #"realm="App""#, .realm), (#"nonce="n1""#, #"nonce="n0""#, .nonce),
            ("nc=00000001", "nc=00000000", .countStart), ("nc=00000001", "nc=00000002", .countStart),
            ("nc=00000001", "nc=1", .countForm), ("nc=00000001, ", "", .qopMissing),
            ("cnonce=\"c\", ", "", .qopMissing), ("qop=auth, nc=00000001, cnonce=\"c\", ", "", .qopMissing),
            ("qop=auth", "qop=auth-conf", .qop),
            ("algorithm=MD5", "algorithm=SHA-256", .algorithm),
            ("response=\"", "response=\"00112233445566778899aabbccddeeff", .algorithm),
            (#"opaque="o""#, #"opaque="p""#, .opaque),
            (#"opaque="o", "#, "", .opaque), ("qop=auth", #"qop="auth""#, .quoting),
            ("nc=00000001", #"nc="00000001""#, .quoting),
            ("algorithm=MD5", #"algorithm="MD5""#, .quoting), (#"username="alice""#, "username=alice", .quoting),
        ] as [(String, String, DigestFault)]
    )
    func namesEachFault(part: String, replacement: String, fault: DigestFault) throws {
        let answer = Self.fitting.replacing(part, with: replacement)
        try #require(answer != Self.fitting)
        #expect(try Self.faults(ofAnswer: answer) == [[fault]])
    }

    @Test func takesTheOfferedListForNoChoice() throws {
        let answer = Self.fitting.replacing("qop=auth", with: #"qop="auth,auth-int""#)
        #expect(try #require(try Self.faults(ofAnswer: answer).first).contains(.qopList))
    }

    @Test("an algorithm that is not named is MD5, and one of several offers is enough")
    func comparesAlgorithms() throws {
        let unnamed = Self.fitting.replacing("algorithm=MD5, ", with: "")
        #expect(try Self.faults(ofAnswer: unnamed) == [[]])
        let two = Self.challenge.replacing("MD5", with: "SHA-256") + "\n  WWW-Authenticate: " + Self.challenge
        #expect(try Self.faults(ofAnswer: Self.fitting, to: two) == [[]])
        #expect(try Self.faults(ofAnswer: Self.fitting.replacing("MD5", with: "md5")) == [[]])
    }

    @Test(
        "a cookie of the challenge that belongs to the request must come back",
        arguments: [
            ("session=1; Path=/", "", true), ("session=1; Path=/", "\n  Cookie: session=1", false),
            ("session=1; Path=/", "\n  Cookie: other=1", true), ("session=1; Path=/other", "", false),
            ("session=1; Path=/; Secure", "", false), ("session=1; Path=/; Max-Age=0", "", false),
        ]
    )
    func missesTheCookie(setCookie: String, cookie: String, isMissed: Bool) throws {
        let faults = try Self.faults(ofAnswer: Self.fitting + cookie, fields: "\n  Set-Cookie: \(setCookie)")
        #expect(faults == [isMissed ? [.cookie] : []])
    }

    @Test func knowsNothingWithoutAChallenge() throws {
        let faults = try Self.faults(
            in: """
                connection 1
                > GET /app?x=1
                  Authorization: Digest \(Self.fitting)
                < 401
                  WWW-Authenticate: Digest realm="app", nonce="n2", qop="auth"
                """
        )
        #expect(faults == [[.noChallenge]])
    }

    /// One request for `/app?x=1` with the nonce and nc given, and its answer.
    private static func round(_ nonce: String, nc: Int, _ answer: String) -> String {
        let count = String(nc)
        let nc = String(repeating: "0", count: 8 - count.count) + count
        let credentials = fitting.replacing("\"n1\"", with: "\"\(nonce)\"").replacing("00000001", with: nc)
        return "> GET /app?x=1\n  Authorization: Digest \(credentials)\n< \(answer)\n"
    }

    @Test("counters and nonces are followed from answer to answer")
    func followsTheConversation() throws {
        let opening = "connection 1\n> GET /app?x=1\n< 401\n  WWW-Authenticate: \(Self.challenge)\n"
        let renewed = "401\n  WWW-Authenticate: " + Self.challenge.replacing("\"n1\"", with: "\"n2\"")
        let reuse = opening + Self.round("n1", nc: 1, "200") + Self.round("n1", nc: 1, renewed)
        #expect(try Self.faults(in: reuse) == [[], [.countReused, .usedNonce]])
        let ignored = opening + Self.round("n1", nc: 1, renewed) + Self.round("n1", nc: 2, renewed)
        #expect(try Self.faults(in: ignored) == [[], [.ignoredNonce]])
        let good = opening + Self.round("n1", nc: 1, renewed) + Self.round("n2", nc: 1, renewed)
        #expect(try Self.faults(in: good) == [[], []])
        let shared = opening + Self.round("n1", nc: 1, renewed) + Self.round("n2", nc: 2, renewed)
        #expect(try Self.faults(in: shared) == [[], [.countStart]])
        let next = opening + Self.round("n1", nc: 1, "200\n  Authentication-Info: nextnonce=\"n3\"")
        #expect(try Self.faults(in: next + Self.round("n3", nc: 1, renewed)) == [[], []])
        #expect(try Self.faults(in: next + Self.round("n4", nc: 1, renewed)) == [[], [.nonce]])
    }
    /// A request on a connection, and its answer.
    private static func round(on connection: Int, _ nonce: String, nc: Int, _ answer: String) -> String {
        "connection \(connection)\n" + round(nonce, nc: nc, answer)
    }

    @Test("a request that was overtaken is out of order, and does not start the count")
    func followsParallelRequests() throws {
        let opening =
            "connection 1\nconnection 2\nconnection 1\n> GET /app?x=1\n< 401\n  WWW-Authenticate: \(Self.challenge)\n"
        let refused = "401\n  WWW-Authenticate: " + Self.challenge.replacing("\"n1\"", with: "\"n2\"")
        let overtaken = opening + Self.round(on: 2, "n1", nc: 2, "200") + Self.round(on: 1, "n1", nc: 1, refused)
        #expect(try Self.faults(in: overtaken) == [[], [.countOrder, .usedNonce]])
    }

    @Test("what was repeated because no answer came is no reuse")
    func forgivesRepetition() throws {
        let opening = "connection 1\n> GET /app?x=1\n< 401\n  WWW-Authenticate: \(Self.challenge)\n"
        let lost = Self.round("n1", nc: 1, "200").split(separator: "\n").dropLast().joined(separator: "\n")
        let again = opening + lost + "\nreset by server\n" + Self.round(on: 2, "n1", nc: 1, "401")
        #expect(try Self.faults(in: again) == [[], []])
    }
}
