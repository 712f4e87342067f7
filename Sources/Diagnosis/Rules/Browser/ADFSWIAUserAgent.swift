import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct ADFSWIAUserAgent: Rule {
    let page = RulePage(
        id: "adfs-wia-user-agent",
        severity: .warning,
        step: .answer,
        title: "AD FS takes the client for one with Windows integrated authentication",
        what: """
            A sign-in page of AD FS answers a client with 401 and Negotiate or NTLM, and the client does not go on; by its \
            User-Agent it is one that cannot, or another User-Agent gets the form.
            """,
        why: """
            AD FS chooses between the login form and Windows integrated authentication by User-Agent. Where its list \
            WIASupportedUserAgents has an entry as wide as "Mozilla/5.0", it sends every browser and web view a \
            challenge, also those that have no Windows account to answer with.
            """,
        fix: [
            .server("Narrow WIASupportedUserAgents (Set-AdfsProperties): take out \"Mozilla/5.0\"."),
            .client(
                """
                Answer NSURLAuthenticationMethodNTLM in webView(_:didReceive:completionHandler:), or set a customUserAgent \
                that is agreed with whoever runs AD FS.
                """
            ),
        ],
        verify: "The same address gives the app the login form, or the 401 is answered and accepted.",
        lookAlikes: [
            "A managed Mac or PC that answers the challenge with Kerberos: the way it is meant.",
            "A person at the dialog: credentials follow later.",
        ],
        explains: [
            "challenge-unanswered", "ntlm-handshake-abandoned", "negotiate-no-token", "no-common-scheme",
            "challenge-first-only",
        ],
        sources: ["Microsoft: Configure intranet forms-based authentication for devices that do not support WIA"],
        triggering: [
            """
            connection 1 to 198.51.100.50:443 over tls
            > GET /adfs/ls/wia?wa=wsignin1.0
              User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15
            < ↓401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            closed by client
            """,
            """
            connection 1 to 198.51.100.50:443 over tls
            > GET /adfs/ls/?wa=wsignin1.0
              User-Agent: Docs/4.2
            < 200
            > GET /adfs/ls/?wa=wsignin1.0
              User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15
            < ↓401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1 to 198.51.100.50:443 over tls
            > GET /adfs/ls/wia?wa=wsignin1.0
              User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15
            < 401
              WWW-Authenticate: Negotiate
            > GET /adfs/ls/wia?wa=wsignin1.0
              User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 302
              Location: /app
            """,
            """
            # Somebody who leaves, with a User-Agent that may well be able to answer.
            connection 1 to 198.51.100.50:443 over tls
            > GET /adfs/ls/wia?wa=wsignin1.0
              User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            closed by client
            """,
            """
            # Not AD FS.
            connection 1 to 198.51.100.50:443 over tls
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.unanswered, .bareRefusal]

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        let silent = chain.unansweredChallenges.map(\.transaction).filter { transaction in
            transaction.isADFSSignIn && transaction.originFields.schemes.contains(where: \.isIntegrated)
                && !chain.hasCredentials(after: transaction)
        }
        for refused in silent {
            guard let agent = refused.userAgent, !agent.isEmpty else { continue }
            let twin = formForOtherAgent(than: agent, in: chain)
            guard refused.isOfiOS || twin != nil else { continue }
            let alike = silent.filter { $0.userAgent == agent }
            if let incompleteness = chain.incompleteness(of: alike) { return .cannotTell(incompleteness) }
            let names = refused.originFields.schemes.map(\.rawValue).joined(separator: ", ")
            let message =
                "AD FS answers \(refused.path) with 401 and \(names) to User-Agent \(agent.excerptInQuotes), which does not "
                + "go on"
                + (twin.map { "; packet \($0.responsePacket ?? 0) has the page for another User-Agent" } ?? "")
            return .found([
                page.finding(message, at: .response(refused), in: alike + (twin.map { [$0] } ?? []))
            ])
        }
        return .clear
    }

    /// A sign-in page that another User-Agent got without a login.
    private func formForOtherAgent(than agent: String, in chain: Chain) -> Transaction? {
        chain.entries.first { entry in
            entry.summary.status == 200 && entry.exchange == nil && entry.connectionAuthenticatedBy == nil
                && entry.transaction.isADFSSignIn && entry.transaction.cookieNames.isEmpty
                && entry.transaction.method == "GET" && entry.transaction.userAgent.map { $0 != agent } == true
        }?.transaction
    }
}

extension Transaction {
    /// Whether the path is one of those under which AD FS signs users in.
    fileprivate var isADFSSignIn: Bool {
        let path = fieldText(pathBytes).lowercased()
        return path == "/adfs/ls" || path.hasPrefix("/adfs/ls/") || path.hasPrefix("/adfs/oauth2/authorize")
    }

    /// Whether the User-Agent names a system that has no Windows account of its own.
    fileprivate var isOfiOS: Bool {
        let agent = userAgent ?? ""
        return ["(iPhone;", "(iPad;", "(iPod"].contains { agent.contains($0) }
    }
}

extension AuthenticationScheme {
    /// Whether Windows integrated authentication uses it.
    fileprivate var isIntegrated: Bool { kind == .negotiate || kind == .ntlm }
}
