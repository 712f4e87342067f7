import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMLocalCallLoopback: Rule {
    let page = RulePage(
        id: "ntlm-local-call-loopback",
        severity: .note,
        title: "Client and server of the NTLM handshake are one machine",
        what: """
            All fields of the AUTHENTICATE_MESSAGE are empty, and its flags have the bit of a local call.
            """,
        why: """
            Windows notices that client and server are one machine and hands the logon over inside it: the message \
            carries nothing. A server that is not SSPI cannot make use of it.
            """,
        fix: [
            .client("Test from another machine."),
            .server(
                """
                For a site under another name than the machine's, set BackConnectionHostNames; a server without SSPI \
                must be asked by Kerberos or Basic.
                """
            ),
        ],
        verify: "From another machine the AUTHENTICATE_MESSAGE has a user and a response.",
        lookAlikes: [
            "Empty fields with NTLMSSP_NEGOTIATE_ANONYMOUS: ntlm-anonymous."
        ],
        sources: ["MS-NLMP §2.2.2.5 (bit r7)"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user="" domain="" workstation="" response=none flags=0xE288C215}
            < 401
              WWW-Authenticate: NTLM
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE anonymous}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP flags=0xE288C215}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.namelessLogin]

    func findings(in chain: Chain) -> Outcome {
        let local = chain.exchanges.compactMap(\.authenticate).filter { $0.message.isLocalCall }.map(\.leg.transaction)
        guard let first = local.first else { return .clear }
        let connection = chain.connection(of: first)
        let isProven = connection.client.address == connection.server.address
        return .found([
            page.finding(
                "the client sends a local call: an AUTHENTICATE_MESSAGE without any content",
                at: .request(first),
                in: local,
                confidence: isProven ? .certain : .likely
            )
        ])
    }
}
