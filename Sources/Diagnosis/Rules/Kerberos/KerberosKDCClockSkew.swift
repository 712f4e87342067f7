import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct KerberosKDCClockSkew: Rule {
    let page = RulePage(
        id: "kerberos-kdc-clock-skew",
        severity: .error,
        step: .answer,
        title: "The clocks of client and KDC differ too much",
        what: "The KDC answers KRB_AP_ERR_SKEW (37), and the client gets no ticket afterwards.",
        why: """
            Kerberos proves freshness by time: a request carries the client's time, encrypted, and a KDC refuses one that is \
            further off than its tolerance, five minutes as a rule.
            """,
        fix: [
            .client(
                "Set the clock of the device from the time server that the domain uses; check date, time zone and year."
            ),
            .server(
                "Check the KDC's clock: domain controllers take their time from the one with the PDC emulator role."
            ),
        ],
        verify: "An AS-REP or TGS-REP follows instead of error 37.",
        lookAlikes: [
            "A client that corrects its time by the answer and asks again with success: nothing is wrong.",
            "Error 37 in a token of the web server: kerberos-ap-err-skew.",
            "Error 24: the time cannot be decrypted, so the password is wrong, not the clock: kerberos-client-refused.",
        ],
        explains: ["challenge-unanswered", "negotiate-no-token", "negotiate-ntlm-fallback", "no-common-scheme"],
        sources: ["RFC 4120 §3.1.3, §5.9.1, §7.5.9"],
        triggering: [
            """
            kdc > AS-REQ client=alice
            kdc < ↓KRB-ERROR code=37
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            # The capture shows the KDC alone, and its clock is off.
            kdc > TGS-REQ service=krbtgt/SUB.CORP.EXAMPLE
            kdc < ↓KRB-ERROR code=37 stime=20260105092000Z
            """,
        ],
        notTriggering: [
            """
            # The client corrects its time by the answer.
            kdc > AS-REQ client=alice
            kdc < KRB-ERROR code=37
            kdc > AS-REQ client=alice
            kdc < AS-REP client=alice
            """,
            """
            # The encrypted time is refused for its key.
            kdc > AS-REQ client=alice
            kdc < KRB-ERROR code=24
            """,
            """
            # The web server says so, not the KDC.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=37}}
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.kdc]

    func findings(in chain: Chain) -> Outcome {
        let refusals = chain.kdcRefusals([37]).filter { !chain.context.tickets.isAnyGiven(after: $0) }
        return page.outcome(refusals, in: chain) { first, _ in
            let time = first.response?.time ?? first.time
            let clocks = first.error?.clocks(at: time, asked: first.request?.message?.request) ?? ""
            return "the KDC finds the client's clock too far off, \(first.reason): \(clocks)"
        }
    }
}
