import AuthScanSchemes
import AuthScanSessions

struct ADFSWIAUserAgent: Rule {
    let page = RulePage(
        id: "adfs-wia-user-agent",
        severity: .warning,
        step: .answer,
        title: "AD FS takes the client for one with Windows integrated authentication",
        what: """
            AD FS answers the sign-in of a device that is no Windows computer with 401 and Negotiate or NTLM instead of the \
            login form, and the client does not go on.
            """,
        why: """
            AD FS chooses between integrated authentication and the form by User-Agent. Where WIASupportedUserAgents contains \
            "Mozilla/5.0", every browser and web view is sent to integrated authentication, which a phone outside the domain \
            cannot do: its page stays blank.
            """,
        fix: [
            .server(
                """
                Take "Mozilla/5.0" out of WIASupportedUserAgents (Get-AdfsProperties, Set-AdfsProperties), and name the \
                Windows browsers alone.
                """
            ),
            .client(
                """
                Answer NSURLAuthenticationMethodNTLM in the web view's delegate, or set a customUserAgent that the \
                administrator of AD FS agrees to.
                """
            ),
        ],
        verify: "The sign-in is answered with the login form, or the client answers the challenge.",
        lookAlikes: ["A Mac or phone with a ticket of the domain, which goes on with Negotiate."],
        explains: ["challenge-unanswered", "ntlm-handshake-abandoned", "negotiate-no-token", "no-common-scheme"],
        sources: ["AD FS: WIASupportedUserAgents", "RFC 4559 §4"],
        triggering: [
            """
            connection 1
            > GET /adfs/ls/?wa=wsignin1.0
              User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148
            < 302
              Location: /adfs/ls/wia?wa=wsignin1.0
            > GET /adfs/ls/wia?wa=wsignin1.0
              User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148
            < ↓401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            closed by client
            """
        ],
        notTriggering: [
            """
            # A Windows computer, whose user gave up.
            connection 1
            > GET /adfs/ls/wia?wa=wsignin1.0
              User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            closed by client
            """,
            """
            # The client goes on.
            connection 1
            > GET /adfs/ls/wia?wa=wsignin1.0
              User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.6 Safari/605.1.15
            < 401
              WWW-Authenticate: Negotiate
            > GET /adfs/ls/wia?wa=wsignin1.0
              User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.6 Safari/605.1.15
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 200
            """,
            """
            # Another server.
            connection 1
            > GET /portal
              User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.bareRefusal, .unanswered]

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        let refused = chain.unansweredChallenges.map(\.transaction).filter { transaction in
            isSignIn(transaction) && isForeign(transaction) && offersIntegrated(transaction)
        }
        guard let first = refused.first else { return .clear }
        let message =
            "AD FS asks a device for Windows integrated authentication that is no Windows computer, by its User-Agent "
            + "\((first.userAgent ?? "").excerptInQuotes), and the client stops"
        return .found([page.finding(message, at: .response(first), in: refused, confidence: .likely)])
    }

    private func isSignIn(_ transaction: Transaction) -> Bool {
        let path = transaction.path.lowercased()
        return path == "/adfs/ls" || path.hasPrefix("/adfs/ls/")
    }

    /// Whether the User-Agent is a browser's or web view's of another system than Windows.
    private func isForeign(_ transaction: Transaction) -> Bool {
        guard let agent = transaction.userAgent, agent.hasPrefix("Mozilla/5.0") else { return false }
        return ["(iPhone", "(iPad", "(iPod", "(Macintosh", "Android"].contains { agent.contains($0) }
    }

    private func offersIntegrated(_ transaction: Transaction) -> Bool {
        transaction.originFields.challenges.contains { $0.scheme.requiresSameConnection }
    }
}
