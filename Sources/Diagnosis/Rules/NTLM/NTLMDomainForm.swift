import AuthScanSchemes
import AuthScanSessions

struct NTLMDomainForm: Rule {
    let page = RulePage(
        id: "ntlm-domain-form",
        severity: .error,
        step: .accept,
        title: "NTLM user and domain are in the wrong form",
        what:
            "The refused AUTHENTICATE_MESSAGE has a user name with a backslash in it, a UPN beside a domain, no domain, or a strange one.",
        why: """
            The response is computed over user and domain as they stand in the message. A name that was not split, or a \
            domain that is missing, makes the server look for another account, or compute another hash.
            """,
        fix: [
            .client(
                """
                Give DOMAIN\\user as one string with a single backslash (in a Swift literal "DOMAIN\\\\user"), or the UPN \
                alone; URLCredential(user:password:persistence:) splits the former.
                """
            ),
            .server("Look in the Security log (event 4625) which account name arrived."),
        ],
        verify: "The AUTHENTICATE_MESSAGE has the bare user name in UserName and the domain in DomainName.",
        lookAlikes: [
            "A UPN with an empty domain: right.", "Another domain than the server's: perhaps a trusted one, a note.",
        ],
        supersedes: ["ntlm-credential-rejected", "stale-credentials-lockout"],
        sources: ["MS-NLMP §2.2.1.3", "MS-NLMP §3.3.2"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=CORP\\alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice@corp.example domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=""}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # A note: the domain may be a trusted one.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=IPHONE workstation=IPHONE}
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
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=CORP\\alice domain=CORP}
            < 200
            """,
            """
            # A UPN alone.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice@corp.example domain=""}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # An account of the server itself.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=web03}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # The server stands alone, and no domain is right.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE type=server domain=WEB03 computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=""}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedNTLMHandshakes.filter { $0.connections.count == 1 }
        for exchange in refused {
            guard let (message, leg) = exchange.authenticate,
                let (text, severity) = fault(in: message, challenge: exchange.ntlmChallenge?.message)
            else { continue }
            let confidence: Confidence = severity == .error ? .certain : .likely
            return .found([
                page.finding(
                    text,
                    at: .request(leg.transaction),
                    in: [leg.transaction],
                    severity: severity,
                    confidence: confidence
                )
            ])
        }
        return .clear
    }

    private func fault(
        in message: AuthenticateMessage,
        challenge: ChallengeMessage?
    ) -> (text: String, severity: Severity)? {
        guard let user = message.user, !user.isEmpty, let domain = message.domain else { return nil }
        if user.contains("\\") { return ("the user name \"\(user)\" still has its domain in it", .error) }
        if user.contains("@"), !domain.isEmpty {
            return (
                "the user name \"\(user)\" has its domain in it, and the domain \"\(domain)\" stands beside it",
                .warning
            )
        }
        if domain.isEmpty, !user.contains("@"), challenge?.flags.contains(.targetTypeDomain) == true {
            return ("the domain of \"\(user)\" is empty, and the server belongs to a domain", .warning)
        }
        guard let challenge, !domain.isEmpty, !challenge.names(domain) else { return nil }
        if domain.lowercased() == message.workstation?.lowercased() {
            return ("the domain \"\(domain)\" is the client's own computer name", .note)
        }
        return ("the domain \"\(domain)\" is none that the server names", .note)
    }
}

extension ChallengeMessage {
    /// Whether the challenge names a domain or computer, in whatever case.
    fileprivate func names(_ domain: String) -> Bool {
        let ids: [AVPair.ID] = [.nbDomainName, .dnsDomainName, .dnsTreeName, .nbComputerName, .dnsComputerName]
        let names = ids.compactMap { targetInfo.text(of: $0) } + [targetName].compactMap { $0 }
        return names.isEmpty || names.contains { $0.lowercased() == domain.lowercased() }
    }
}
