import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMTimestampSkew: Rule {
    let page = RulePage(
        id: "ntlm-timestamp-skew",
        severity: .warning,
        step: .accept,
        title: "Time in the NTLMv2 response is far from the server's",
        what: """
            The refused NTLMv2 response has a time that differs by more than half an hour from the server's, as its \
            Date field or its MsvAvTimestamp gives it.
            """,
        why: """
            Servers refuse responses that are too old or too new. A client takes the time from MsvAvTimestamp where \
            the server sends one, and else its own clock.
            """,
        fix: [
            .client("Set the device's clock, and its time zone."),
            .client(
                """
                A library that computes the time itself must count 100-nanosecond ticks since 1601-01-01 in UTC, and \
                copy MsvAvTimestamp.
                """
            ),
        ],
        verify: "The time of the response and the server's Date field are close together.",
        lookAlikes: [
            "A wrong clock of the machine that captured: the rule does not look at it."
        ],
        sources: ["MS-NLMP §2.2.2.7", "MS-NLMP §3.1.5.1.2"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE timestamp=no}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              Date: Mon, 05 Jan 2026 11:00:00 GMT
              WWW-Authenticate: NTLM
            """,
            """
            # The client ignores the time that the server gave it.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP late=7200}
            < 401
              WWW-Authenticate: NTLM
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE timestamp=no}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              Date: Mon, 05 Jan 2026 09:02:00 GMT
              WWW-Authenticate: NTLM
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE timestamp=no}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
              Date: Mon, 05 Jan 2026 11:00:00 GMT
            """,
            """
            # The client copies the server's time, however wrong.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              Date: Mon, 05 Jan 2026 11:00:00 GMT
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    /// The difference that servers are known to refuse, and ticks of 100 ns since 1601-01-01 in a second.
    private static let (limit, ticks) = (1800, UInt64(10_000_000))
    /// Seconds from 1601-01-01 to 1970-01-01.
    private static let epoch = 11_644_473_600

    func findings(in chain: Chain) -> Outcome {
        for exchange in chain.refusedWholeNTLMHandshakes {
            guard let (message, leg) = exchange.authenticate, let response = message.ntlmV2,
                let challenge = exchange.ntlmChallenge
            else { continue }
            let own = seconds(response.timestampTicks)
            let stated = challenge.message.timestampTicks.map(seconds)
            guard let server = stated ?? leg.transaction.serverDate ?? challenge.leg.transaction.serverDate,
                abs(own - server) > NTLMTimestampSkew.limit
            else { continue }
            let side = own < server ? "behind" : "ahead of"
            let source = stated == nil ? "Date field" : "MsvAvTimestamp, which the client should have copied"
            return .found([
                page.finding(
                    "the time in the response is \(abs(own - server) / 60) min \(side) the server's \(source)",
                    at: .request(leg.transaction),
                    in: [leg.transaction],
                    confidence: .likely
                )
            ])
        }
        return .clear
    }

    /// Seconds since 1970-01-01 UTC.
    private func seconds(_ ticks: UInt64) -> Int { Int(ticks / NTLMTimestampSkew.ticks) - NTLMTimestampSkew.epoch }

}
