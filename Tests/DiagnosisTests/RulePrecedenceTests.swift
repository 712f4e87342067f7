import AuthScanDiagnosis
import TestPipeline
import TestSupport
import Testing

/// One failure has one explanation, and a login that works has none: what all rules together say.
@Suite struct RulePrecedenceTests {
    /// The findings above a note as `rule severity`, sorted.
    private static func alarms(in transcript: String) throws -> [String] {
        try diagnosis(of: transcript).findings.filter { $0.severity > .note }.map { "\($0.rule) \($0.severity)" }
            .sorted()
    }

    private static func notes(in transcript: String) throws -> [String] {
        try diagnosis(of: transcript).findings.filter { $0.severity == .note }.map(\.rule).sorted()
    }

    /// A handshake on the current connection, to be answered by `answer`.
    private static func handshake(_ message: String, computer: String = "WEB03", answer: Int) -> String {
        """
        > GET /app
          Authorization: NTLM {NEGOTIATE_MESSAGE}
        < 401
          WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=\(computer)}
        > GET /app
          Authorization: NTLM {AUTHENTICATE_MESSAGE \(message)}
        < \(answer)\(answer == 401 ? "\n  WWW-Authenticate: NTLM" : "")

        """
    }

    @Test(
        "a content fault explains a refusal, and the password does where there is none",
        arguments: [
            ("user=alice domain=CORP", ["ntlm-credential-rejected error"]),
            ("user=alice domain=OTHER", ["ntlm-credential-rejected error"]),
            ("user=CORP\\alice domain=CORP", ["ntlm-domain-form error"]),
            ("user=\"\" domain=CORP", ["ntlm-empty-username error"]),
            ("user=alice domain=CORP response=NTLMv1", ["ntlm-v1-response error"]),
            ("user=alice domain=CORP mic=yes flags=0xE2888205", ["ntlm-key-exch-without-sign error"]),
            ("user=müller domain=CORP flags=0xA2888206", ["ntlm-oem-non-ascii-name error"]),
            ("user=alice domain=CORP blob-gap=8 mic=no", ["ntlm-blob-malformed error"]),
            ("user=alice domain=CORP cut=200", ["ntlm-message-malformed error"]),
            ("anonymous", ["ntlm-anonymous warning"]),
        ]
    )
    func refusedHandshake(message: String, expected: [String]) throws {
        let transcript = "connection 1\n" + Self.handshake(message, answer: 401) + "closed by client"
        #expect(try Self.alarms(in: transcript) == expected)
    }

    @Test(
        "nothing in the messages is an error where the handshake is accepted",
        arguments: ["user=alice domain=OTHER", "user=CORP\\alice domain=CORP", "user=\"\" domain=CORP", "anonymous"]
    )
    func acceptedHandshake(message: String) throws {
        let transcript = "connection 1\n" + Self.handshake(message, answer: 200) + "closed by client"
        #expect(try Self.alarms(in: transcript) == [])
    }

    @Test("over TLS the channel binding is told first, and the password as what else it may be")
    func channelBinding() throws {
        for (binding, rule) in [("no", "ntlm-epa-required"), ("zero", "ntlm-epa-zero-binding")] {
            let transcript =
                "connection 1 to 198.51.100.20:443 over tls\n"
                + Self.handshake("user=alice domain=CORP channel-binding=\(binding)", answer: 401)
            #expect(try Self.alarms(in: transcript) == ["\(rule) error"])
            #expect(try Self.notes(in: transcript).contains("ntlm-credential-rejected"))
        }
    }

    @Test("a negotiation that the client leaves has one explanation")
    func leftNegotiation() throws {
        let transcript = """
            connection 1
            > GET /app
              Authorization: SCHEME
            < 401
              WWW-Authenticate: ANSWER
            closed by client
            """
        let cases = [
            (
                "NTLM {SPNEGO init mech=NTLM}", "NTLM {SPNEGO resp state=request-mic}",
                "ntlm-token-scheme-mismatch error"
            ),
            (
                "Negotiate {SPNEGO init mech=NTLM}",
                "Negotiate {SPNEGO resp state=accept-incomplete token={CHALLENGE_MESSAGE}}",
                "negotiate-continue-ignored error"
            ),
            (
                "Negotiate {SPNEGO init mech=Kerberos,NTLM}", "Negotiate {SPNEGO resp state=request-mic mech=NTLM}",
                "negotiate-mech-mismatch error"
            ),
            (
                "Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/other.example}}",
                "Negotiate {SPNEGO resp state=reject}", "kerberos-spn-host-mismatch error"
            ),
        ]
        for (credentials, answer, expected) in cases {
            let text = transcript.replacing("SCHEME", with: credentials).replacing("ANSWER", with: answer)
            #expect(try Self.alarms(in: text) == [expected])
        }
    }

    @Test("a 401 with a finished negotiation breaks at the authorization")
    func finishedNegotiation() throws {
        let transcript = """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed token={AP-REP}}
            closed by client
            """
        #expect(try diagnosis(of: transcript).chains.map(\.breakpoint?.step) == [.authorize])
        #expect(try Self.alarms(in: transcript) == ["authorization-refused-as-401 error"])
    }

    @Test("a wrong password and then the right one is no failure")
    func madeGood() throws {
        let transcript =
            "connection 1\n" + Self.handshake("user=alice domain=CORP", answer: 401) + "wait 20 s\n"
            + Self.handshake("user=alice domain=CORP", answer: 200)
        #expect(try Self.alarms(in: transcript) == [])
        let late = transcript.replacing("wait 20 s", with: "wait 10 min")
        #expect(try Self.alarms(in: late) == [])
        #expect(try Self.notes(in: late).contains("ntlm-credential-rejected"))
    }

    @Test("a server that closes after its challenge is the cause of an answer on another connection")
    func closedBeforeAnswer() throws {
        let transcript = """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            closed by SIDE
            connection 2
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """
        let byServer = transcript.replacing("SIDE", with: "server")
        #expect(try Self.alarms(in: byServer) == ["ntlm-conn-closed-after-challenge error"])
        #expect(try Self.notes(in: byServer).contains("ntlm-type3-on-new-connection"))
        let byClient = transcript.replacing("SIDE", with: "client")
        #expect(try Self.alarms(in: byClient) == ["ntlm-type3-on-new-connection error"])
    }

    @Test("an offer of NTLM alone that stays unanswered breaks at the answer, and is told once")
    func bareOffer() throws {
        let transcript = """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """
        let result = try diagnosis(of: transcript)
        #expect(result.chains.map(\.breakpoint?.step) == [.answer])
        #expect(try Self.alarms(in: transcript) == ["ntlm-handshake-abandoned error"])
        #expect(try Self.notes(in: transcript).contains("challenge-unanswered"))
    }

    @Test("silence after the challenge breaks at the handshake")
    func abandoned() throws {
        let transcript = """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            closed by client
            """
        #expect(try diagnosis(of: transcript).chains.map(\.breakpoint?.step) == [.handshake])
        #expect(try Self.alarms(in: transcript) == ["ntlm-handshake-abandoned error"])
    }

    @Test("several computers behind one connection leave no statement on the password")
    func splitByLoadBalancer() throws {
        let message = "user=alice domain=CORP"
        let transcript =
            "connection 1\n" + Self.handshake(message, computer: "WEB03", answer: 401)
            + Self.handshake(message, computer: "WEB07", answer: 401) + "closed by client"
        let result = try diagnosis(of: transcript)
        #expect(try Self.alarms(in: transcript) == ["ntlm-lb-splits-handshake error"])
        #expect(result.findings.filter { $0.rule == "ntlm-lb-splits-handshake" }.map(\.confidence) == [.certain])

        let onTwo = transcript.replacing("> GET /app\n  Authorization: NTLM {NEGOTIATE", with: "MARK")
        let parts = onTwo.split(separator: "MARK")
        let restored = "> GET /app\n  Authorization: NTLM {NEGOTIATE"
        let apart = "connection 1\n" + restored + parts[1] + "connection 2\n" + restored + parts[2]
        let split = try diagnosis(of: apart).findings.filter { $0.rule == "ntlm-lb-splits-handshake" }
        #expect(split.map(\.confidence) == [.likely])
    }

    @Test("parallel connections with a handshake of their own are normal")
    func parallelHandshakes() throws {
        let transcript = (1...6).map { number in
            "connection \(number)\n> GET /\(number).js\n< 401\n  WWW-Authenticate: Negotiate\n  WWW-Authenticate: NTLM\n"
                + Self.handshake("user=alice domain=CORP", computer: "WEB0\(number)", answer: 200)
        }.joined()
        #expect(try Self.alarms(in: transcript) == [])
    }

    @Test(
        "a fault that is seen explains a refused Digest answer, and the password does where there is none",
        arguments: [
            ("", "", ["digest-credential-rejected error"]),
            (#"uri="/app?x=1""#, #"uri="/app""#, ["digest-uri-mismatch error"]),
            (#"uri="/app?x=1""#, #"uri="http://a.example/app?x=1""#, ["digest-uri-absolute error"]),
            (#"realm="app""#, #"realm="App""#, ["digest-realm-altered error"]),
            (#"username="alice""#, #"username="app\\alice""#, ["digest-username-domain-prefixed error"]),
            (#"username="alice""#, #"username="alice@app""#, ["digest-username-domain-prefixed warning"]),
            (#"username="alice""#, #"username="app\alice""#, ["digest-username-escaping error"]),
            ("qop=auth, nc=00000001, cnonce=\"c\", ", "", ["digest-qop-missing error"]),
            ("qop=auth", #"qop="auth""#, ["digest-parameter-quoting warning"]),
            ("nc=00000001", "nc=00000000", ["digest-nc-start-or-reset error"]),
        ]
    )
    func refusedDigestAnswer(part: String, replacement: String, expected: [String]) throws {
        let answer = """
            Digest username="alice", realm="app", nonce="n1", uri="/app?x=1", qop=auth, nc=00000001, cnonce="c", \
            response="00112233445566778899aabbccddeeff"
            """
        let transcript = """
            connection 1
            > GET /app?x=1
            < 401
              WWW-Authenticate: Digest realm="app", nonce="n1", qop="auth"
            > GET /app?x=1
              Authorization: \(part.isEmpty ? answer : answer.replacing(part, with: replacement))
            < 401
              WWW-Authenticate: Digest realm="app", nonce="n2", qop="auth"
            closed by client
            """
        #expect(try Self.alarms(in: transcript) == expected)
        let result = try diagnosis(of: transcript)
        #expect(result.chains.map(\.breakpoint?.step) == [.accept])
        #expect(result.chains.map(\.breakpoint?.finding) == [1])
    }

    @Test(
        "what is wrong with the field explains its refusal, and the password does not",
        arguments: [
            ("Basic alice:secret", "Basic realm=\"app\"", ["basic-malformed-credential error"]),
            ("Basic {basic alice:secret}", "Basic realm=\"app\"", ["basic-credential-rejected error"]),
            ("Bearer null", "Bearer error=\"invalid_token\"", ["bearer-placeholder-value error"]),
            (
                "Basic {basic alice:secret}\n  Authorization: Bearer one", "Basic realm=\"app\"",
                ["authorization-duplicate error"]
            ),
        ]
    )
    func refusedField(credential: String, challenge: String, expected: [String]) throws {
        let transcript = """
            connection 1
            > GET /app
              Authorization: \(credential)
            < 401
              WWW-Authenticate: \(challenge)
            closed by client
            """
        let alarms = try Self.alarms(in: transcript).filter { !$0.hasPrefix("credentials-in-clear") }
        #expect(alarms == expected)
    }

    @Test("a broken challenge is why nobody answers")
    func brokenChallenge() throws {
        let transcript = """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: null Basic realm="app
            closed by client
            """
        #expect(try Self.alarms(in: transcript) == ["challenge-malformed error"])
        #expect(try Self.notes(in: transcript).contains("challenge-unanswered"))
        #expect(try diagnosis(of: transcript).chains.map(\.breakpoint?.step) == [.challenge])
    }

    @Test(
        "a token that is sent again and again has a reason of its own",
        arguments: [
            ("one", "error=\"invalid_token\"", ["stale-credentials-lockout error"]),
            (
                "one", "error=\"invalid_token\", error_description=\"The access token expired\"",
                ["bearer-token-expired error"]
            ),
            (
                "one", "error=\"invalid_token\", error_description=\"The audience is invalid\"",
                ["bearer-audience-or-issuer error"]
            ),
            ("one", "error=\"insufficient_claims\", claims=\"e30=\"", ["bearer-claims-challenge error"]),
            ("one", "error=\"insufficient_scope\"", ["bearer-insufficient-scope error"]),
            ("null", "error=\"invalid_token\"", ["bearer-placeholder-value error"]),
        ]
    )
    func repeatedToken(token: String, challenge: String, expected: [String]) throws {
        let round = "> GET /app\n  Authorization: Bearer \(token)\n< 401\n  WWW-Authenticate: Bearer \(challenge)\n"
        let transcript = "connection 1\n" + round + round + round + "closed by client"
        let alarms = try Self.alarms(in: transcript).filter { !$0.hasPrefix("credentials-in-clear") }
        #expect(alarms == expected)
    }

    @Test("a scheme that is not offered is no wrong password, and a gateway's challenge is no expired token")
    func wrongScheme() throws {
        let refused = "> GET /app\n  Authorization: Basic {basic alice:secret}\n< 401\n  WWW-Authenticate: Negotiate\n"
        let unoffered = try Self.alarms(in: "connection 1\n" + refused + refused + "closed by client")
        #expect(unoffered.filter { !$0.hasPrefix("credentials-in-clear") } == ["credential-scheme-not-offered error"])
        let overwritten = """
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            > GET /api
              Authorization: Bearer {jwt sub=alice exp=-3600}
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """
        let result = try diagnosis(of: overwritten)
        #expect(result.chains.map(\.breakpoint?.step) == [.continue])
        let alarms = try Self.alarms(in: overwritten).filter { !$0.hasPrefix("credentials-in-clear") }
        #expect(alarms == ["authorization-overwritten-by-app-token error"])
    }
}
