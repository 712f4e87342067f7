import AuthScanSchemes
import AuthScanSessions

struct NTLMTargetNameMismatch: Rule {
    let page = RulePage(
        id: "ntlm-target-name-mismatch",
        severity: .warning,
        title: "NTLM response was made for another service",
        what: """
            The AUTHENTICATE_MESSAGE names a service or host in MsvAvTargetName that is not the one of the request.
            """,
        why: """
            The client writes down whom it believes to talk to. Another service there means that the message was made \
            for somebody else and passed on (a relay), or that a library takes the name from a wrong place.
            """,
        fix: [
            .server(
                """
                Require channel binding (Extended Protection) over TLS, and validate target names: a relayed \
                handshake then fails.
                """
            ),
            .client("Build the token for the host in the URL; URLSession does."),
            .network("Where nobody expects such a login, treat it as an attack: find out which machine sent it."),
        ],
        verify: "MsvAvTargetName is HTTP/ and the host of the URL.",
        lookAlikes: [
            "A short name against the full one: the same host.",
            "An alias, or a name that the client marks as untrusted: a note.",
        ],
        sources: ["MS-NLMP §2.2.2.1", "MS-NLMP §3.1.5.1.2"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=DC$ domain=CORP target=cifs/192.0.2.105}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP target=HTTP/other.example}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # A note: the name may be an alias.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP target=HTTP/other.example}
            < 200
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
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP target=http/INTRANET}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP target=no}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.targetName]

    func findings(in chain: Chain) -> Outcome {
        for exchange in chain.exchanges {
            guard let (message, leg) = exchange.authenticate, let name = message.avPairs.text(of: .targetName),
                let mismatch = Mismatch(name, chain.space)
            else { continue }
            let isRefused = exchange.outcome == .rejected && !chain.isMadeGood(after: leg.transaction)
            let isUnsure = message.avPairs.avFlags?.contains(.untrustedTargetName) == true || mismatch == .alias
            let severity: Severity =
                switch mismatch {
                case _ where isUnsure && !isRefused: .note
                case .service where isRefused && !isUnsure: .error
                case .service, .alias: .warning
                }
            return .found([
                page.finding(
                    "the response of \(exchange.accountInQuotes) was made for \(name), and goes to HTTP on "
                        + chain.space.origin.host,
                    at: .request(leg.transaction),
                    in: [leg.transaction],
                    severity: severity,
                    confidence: isUnsure ? .possible : .likely
                )
            ])
        }
        return .clear
    }

    private enum Mismatch {
        /// Another kind of service.
        case service
        /// Another host, which may be the same by another name.
        case alias

        init?(_ name: String, _ space: ProtectionSpace) {
            let parts = name.lowercased().split(separator: "/", maxSplits: 2).map(String.init)
            guard parts.count >= 2 else { return nil }
            // HOST stands for HTTP where an account has no other name; WSMAN is HTTP of its own kind.
            guard ["http", "host", "wsman"].contains(parts[0]) else {
                self = .service
                return
            }
            // A proxy is known by its address alone.
            guard !space.isProxy, let host = Origin(scheme: "http", authority: parts[1])?.host,
                host != space.origin.host, !host.hasPrefix(space.origin.host + "."),
                !space.origin.host.hasPrefix(host + ".")
            else { return nil }
            self = .alias
        }
    }
}
