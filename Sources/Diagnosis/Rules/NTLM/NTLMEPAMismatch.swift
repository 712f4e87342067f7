import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMEPAMismatch: Rule {
    let page = RulePage(
        id: "ntlm-epa-mismatch",
        severity: .error,
        step: .accept,
        title: "Channel binding belongs to another certificate",
        what:
            "The refused AUTHENTICATE_MESSAGE is bound to another certificate than the one that the server shows in this capture.",
        why: """
            The channel binding is made from the certificate that the client sees. Where TLS ends at an inspecting proxy \
            or a load balancer in between, the two sides see different ones, and a server with Extended Protection refuses.
            """,
        fix: [
            .network(
                "Pass TLS through, or show the same certificate on every leg; exempt the host from TLS inspection."
            ),
            .server("Switch Extended Protection off for a site behind a proxy that ends TLS, as the last resort."),
            .client(
                "Compute the binding from the server's own certificate, with the hash of its signature (SHA-256 at least)."
            ),
        ],
        verify: "MsvAvChannelBindings is MD5 over the binding of the certificate in the capture.",
        lookAlikes: [
            "A resumed session: the certificate is not in the capture, and nothing can be said."
        ],
        supersedes: ["stale-credentials-lockout"],
        explains: ["ntlm-credential-rejected"],
        sources: ["MS-NLMP §2.2.2.1", "MS-NLMP §3.1.5.1.2", "RFC 5929 §4.1"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443 over tls
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=00112233445566778899AABBCCDDEEFF}
            < 401
              WWW-Authenticate: NTLM
            """
        ],
        notTriggering: [
            """
            connection 1 to 198.51.100.20:443 over tls
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=67A42627328CA64F699F9B33F1BDEA4D}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1 to 198.51.100.20:443 over tls
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=00112233445566778899AABBCCDDEEFF}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=00112233445566778899AABBCCDDEEFF}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedTLSHandshakes {
            if case .present = $0 { true } else { false }
        }
        let mismatches = refused.filter { $0.channelBinding == .otherCertificate }
        guard let first = mismatches.first, let leg = first.authenticate?.leg else { return .clear }
        let subject = chain.tlsConnection(of: leg.transaction)?.serverCertificate?.subject ?? ""
        return .found([
            page.finding(
                "the refused handshake of \(first.accountInQuotes) is bound to another certificate than \"\(subject)\"",
                at: .request(leg.transaction),
                in: mismatches.map(\.lastLeg.transaction),
                confidence: .likely
            )
        ])
    }
}
