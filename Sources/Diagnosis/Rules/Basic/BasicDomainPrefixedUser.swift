import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct BasicDomainPrefixedUser: Rule {
    let page = RulePage(
        id: "basic-domain-prefixed-user",
        severity: .warning,
        step: .accept,
        title: "User name sent in another form than the server expects",
        what: """
            A Basic credential with DOMAIN\\user or user@domain is refused where the bare name is accepted, or the other way \
            round.
            """,
        why: """
            Basic carries one string, and it is up to the server to find the account in it. Directories understand several \
            forms; password files and many LDAP searches know one.
            """,
        fix: [
            .server("Strip the domain before the look-up, or search for the form that users type (LDAP filter, PAM)."),
            .client("Send the name in the form that the server knows."),
        ],
        verify: "The same password is accepted with the other form of the name.",
        lookAlikes: [
            "IIS, which takes DOMAIN\\user and user@domain alike: there the password is the suspect.",
            "Servers whose accounts are mail addresses.",
        ],
        supersedes: ["basic-credential-rejected"],
        sources: ["RFC 7617 §2"],
        triggering: [
            """
            connection 1 from 192.0.2.11
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            closed by client
            connection 2
            > ↓GET /app
              Authorization: Basic {basic CORP\\alice:secret}
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Basic {basic CORP\\alice:wrong}
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
            """
            connection 1 from 192.0.2.11
            > GET /app
              Authorization: Basic {basic bob:secret}
            < 200
            closed by client
            connection 2
            > GET /app
              Authorization: Basic {basic CORP\\alice:wrong}
            < 401
              Server: Microsoft-IIS/10.0
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedBasic]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter {
            $0.scheme.kind == .basic && $0.outcome == .rejected && $0.isOffered(.basic)
                && $0.lastLeg.credentials.problems.isEmpty && chain.isForwardedIntact($0.lastLeg.transaction)
        }
        let proven = refused.filter { acceptedForm(of: $0, in: chain) != nil }
        guard proven.isEmpty else {
            return chain.outcome(of: proven, as: page, severity: .error) { exchange in
                """
                \(exchange.accountInQuotes) is refused where \
                \((acceptedForm(of: exchange, in: chain) ?? "").excerptInQuotes) is accepted with the same password
                """
            }
        }
        let suspect = refused.filter { exchange in
            exchange.user?.contains("\\") == true && !isIIS(exchange)
                && chain.context.accounts.acceptsOnlyBareNames(in: chain.space)
        }
        return chain.outcome(of: suspect, as: page, confidence: .possible) { exchange in
            "\(exchange.accountInQuotes) is refused where names without a domain are accepted; or the password is wrong"
        }
    }

    private func acceptedForm(of exchange: AuthenticationExchange, in chain: Chain) -> String? {
        exchange.lastLeg.credentials.basic.flatMap { chain.context.accounts.acceptedForm(of: $0, in: chain.space) }
    }

    private func isIIS(_ exchange: AuthenticationExchange) -> Bool {
        exchange.lastLeg.transaction.response?.fields.text(of: .server)?.contains("IIS") == true
    }
}
