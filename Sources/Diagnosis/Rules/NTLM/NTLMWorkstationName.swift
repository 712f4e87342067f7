import AuthScanSchemes
import AuthScanSessions

struct NTLMWorkstationName: Rule {
    let page = RulePage(
        id: "ntlm-workstation-name",
        severity: .warning,
        title: "Workstation field is empty, or a library's own name",
        what: """
            The refused AUTHENTICATE_MESSAGE names no workstation, or the name of a library in its place.
            """,
        why: """
            An account can be limited to certain workstations (Log On To). The domain controller looks for the name \
            that the client gives, so that such accounts are refused with the right password.
            """,
        fix: [
            .client("Send the computer's NetBIOS name, as the account's policy needs it."),
            .server(
                """
                Look in event 4625 for sub-status 0xC0000070 (not from this workstation), and at the account's list.
                """
            ),
        ],
        verify: "The Workstation field has the computer's name.",
        lookAlikes: [
            "An empty field in an accepted handshake: legal.",
            "A wrong password: likelier for most accounts.",
        ],
        sources: ["MS-NLMP §2.2.1.3", "MS-NLMP §3.1.5.1.2"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP workstation=go-ntlmssp}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # A note: no name at all is usual.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP workstation=""}
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
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP workstation=go-ntlmssp}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP workstation=PC-12}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    /// What libraries call themselves where nobody gives a name, and what curl writes, which is seen every day.
    private static let (libraryNames, usualNames) = (["go-ntlmssp", "python"], ["workstation", ""])

    func findings(in chain: Chain) -> Outcome {
        let named = chain.refusedWholeNTLMHandshakes.filter { exchange in
            guard let name = exchange.workstation, exchange.user?.isEmpty == false else { return false }
            return (NTLMWorkstationName.libraryNames + NTLMWorkstationName.usualNames).contains(name.lowercased())
        }
        guard let first = named.first, let leg = first.authenticate?.leg, let name = first.workstation else {
            return .clear
        }
        let what = name.isEmpty ? "names no workstation" : "gives \"\(name)\" as its workstation"
        return .found([
            page.finding(
                "the refused handshake of \(first.accountInQuotes) \(what)",
                at: .request(leg.transaction),
                in: named.map(\.lastLeg.transaction),
                severity: NTLMWorkstationName.usualNames.contains(name.lowercased()) ? .note : .warning,
                confidence: .possible
            )
        ])
    }
}
