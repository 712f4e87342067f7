import AuthScanDiagnosis
import AuthScanSessions
import TestPipeline
import Testing

@Suite struct TicketChainTests {
    private static let negotiate = "connection 1\n> GET /app\n< 401\n  WWW-Authenticate: Negotiate\n"
    private static let refused = "kdc > AS-REQ client=alice\nkdc < KRB-ERROR code=24\n"
    private static let given = "kdc > AS-REQ client=alice\nkdc < AS-REP client=alice\n"

    @Test("the refusal explains the challenge that stays unanswered")
    func explainsSilence() throws {
        let result = try diagnosis(of: Self.refused + Self.negotiate + "closed by client")
        #expect(result.chains.map(\.verdict) == [.broken] && result.chains.first?.breakpoint?.step == .answer)
        let finding = try #require(result.findings.first)
        #expect(finding.rule == "kerberos-client-refused" && finding.severity == .error && finding.transactions == [1])
        #expect(
            finding.message.contains("\"alice@CORP.EXAMPLE\"")
                && finding.message.contains("KDC_ERR_PREAUTH_FAILED (24)")
        )
        #expect(finding.explains.count == result.findings.count - 1 && result.findings.count > 1)
        #expect(result.findings.dropFirst().allSatisfy { $0.severity == .note })
        #expect(result.chains.first?.breakpoint?.finding == finding.number)
    }

    @Test("a refusal that came through a KDC proxy explains as much")
    func explainsProxied() throws {
        let proxied = """
            connection 1 to 198.51.100.30:443 over tls
            > POST /KdcProxy
              body {KDC-PROXY AS-REQ client=alice}
            < 200
              body {KDC-PROXY KRB-ERROR code=24}

            """
        let second = Self.negotiate.replacing("connection 1", with: "connection 2")
        let result = try diagnosis(of: proxied + second + "closed by client")
        #expect(result.chains.map(\.verdict) == [.broken])
        #expect(result.findings.first?.rule == "kerberos-client-refused")
    }

    @Test("the refusal explains the fallback to NTLM that fails")
    func explainsFallback() throws {
        let result = try diagnosis(
            of: Self.refused + Self.negotiate
                + """
                > GET /app
                  Authorization: Negotiate {NEGOTIATE_MESSAGE}
                < 401
                  WWW-Authenticate: Negotiate
                closed by client
                """
        )
        #expect(result.chains.first?.breakpoint?.step == .answer)
        #expect(result.findings.map(\.rule).first == "kerberos-client-refused")
        #expect(result.findings.contains { $0.rule == "negotiate-ntlm-fallback" && $0.severity == .note })
    }

    @Test("a chain that uses a ticket after all does not break by the refusal")
    func isMadeGood() throws {
        let result = try diagnosis(
            of: Self.refused.replacing("alice", with: "bob") + Self.negotiate
                + """
                > GET /app
                  Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
                < 200
                """
        )
        #expect(result.chains.map(\.verdict) == [.working])
        #expect(result.findings.allSatisfy { $0.severity == .note })
    }

    @Test("a failure for another reason is not the ticket's")
    func leavesOthersAlone() throws {
        let result = try diagnosis(
            of: Self.refused + Self.negotiate + "  WWW-Authenticate: Basic realm=\"app\"\n"
                + """
                > GET /app
                  Authorization: Basic {basic alice:secret}
                < 401
                  WWW-Authenticate: Basic realm="app"
                closed by client
                """
        )
        #expect(!result.findings.contains { $0.rule == "kerberos-client-refused" })
        #expect(result.chains.first?.breakpoint?.step == .accept)
    }

    @Test("the traffic of a key distribution center alone makes a chain")
    func standsAlone() throws {
        let broken = try diagnosis(of: Self.refused)
        #expect(broken.chains.map(\.verdict) == [.broken] && broken.chains.first?.breakpoint?.step == .answer)
        #expect(broken.chains.first?.breakpoint?.packet == 2 && broken.findings.first?.packets == [2, 1])
        #expect(broken.chains.first?.steps.map(\.state).first == .cannotTell)
        for transcript in [Self.given, "kdc > AS-REQ client=alice"] {
            let silent = try diagnosis(of: transcript)
            #expect(silent.chains.isEmpty && silent.findings.isEmpty)
        }
    }

    @Test("beside HTTP authentication only refusals make one")
    func standsBeside() throws {
        let basic = Self.negotiate.replacing("Negotiate", with: "Basic realm=\"app\"") + "closed by client\n"
        #expect(try diagnosis(of: Self.given + basic).chains.count == 1)
        #expect(try diagnosis(of: Self.refused + basic).chains.map(\.session.isKDCTraffic) == [true, false])
    }

    @Test(
        "the clocks are compared with what the message states",
        arguments: [
            ("stime=20260105090010Z", "agrees with the capture's"),
            ("stime=20260105092000Z", "1200 s ahead of the capture's"),
            ("stime=20260105083000Z", "1800 s behind the capture's"),
        ]
    )
    func comparesClocks(time: String, expected: String) throws {
        let result = try diagnosis(of: "kdc > AS-REQ client=alice\nkdc < KRB-ERROR code=37 \(time)")
        let message = try #require(result.findings.first?.message)
        #expect(message.contains(expected), "\(message)")
    }

    @Test("the messages name what was asked for")
    func names() throws {
        let types = try diagnosis(of: "kdc > AS-REQ client=alice etypes=23\nkdc < KRB-ERROR code=14")
        #expect(types.findings.first?.message.contains("(rc4-hmac) for \"alice@CORP.EXAMPLE\"") == true)
        let key = try diagnosis(
            of: """
                connection 1
                > GET /app
                  Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example kvno=7}}
                < 401
                  WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=44}}
                closed by client
                """
        )
        #expect(key.findings.map(\.rule) == ["kerberos-service-key-missing"])
        #expect(
            key.findings.first?.message.contains("\"HTTP/intranet.example\" (aes256-cts-hmac-sha1-96, key version 7)")
                == true
        )
        #expect(key.chains.first?.breakpoint?.step == .accept)
    }
}
