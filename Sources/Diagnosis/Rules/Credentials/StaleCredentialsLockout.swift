import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct StaleCredentialsLockout: Rule {
    let page = RulePage(
        id: "stale-credentials-lockout",
        severity: .error,
        step: .accept,
        title: "Refused credential is sent again and again",
        what: "The same credential is refused three times or more within five minutes, with no success in between.",
        why: """
            A credential that was refused once will be refused again, and each try counts: after a few the directory locks \
            the account. It happens when an app ignores previousFailureCount, or when an old password stays in the \
            credential storage after a change.
            """,
        fix: [
            .client(
                "When previousFailureCount is above 0, ask the user or cancel instead of proposing the same again."
            ),
            .client(
                """
                Remove the stored credential (URLCredentialStorage.shared.remove(_:for:)), and use the persistence \
                .forSession or .none for NTLM.
                """
            ),
            .server("Look whether the account is locked by now, and at the lockout threshold."),
        ],
        verify: "After one refusal the client asks, or stops.",
        lookAlikes: [
            "Parallel connections that each run their own handshake and succeed.",
            "Digest rounds with stale=true: the nonce is old, not the password.",
        ],
        supersedes: [
            "basic-credential-rejected", "digest-credential-rejected", "ntlm-credential-rejected", "ntlm-login-loop",
        ],
        sources: ["RFC 9110 §15.5.2", "Apple: URLAuthenticationChallenge.previousFailureCount"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: Basic {basic alice:old}
            < 401
              WWW-Authenticate: Basic realm="app"
            > GET /app
              Authorization: Basic {basic alice:old}
            < 401
              WWW-Authenticate: Basic realm="app"
            > ↓GET /app
              Authorization: Basic {basic alice:old}
            < 401
              WWW-Authenticate: Basic realm="app"
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 401
              WWW-Authenticate: NTLM
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 401
              WWW-Authenticate: NTLM
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1
            > GET /app
              Authorization: Basic {basic alice:one}
            < 401
              WWW-Authenticate: Basic realm="app"
            > GET /app
              Authorization: Basic {basic alice:two}
            < 401
              WWW-Authenticate: Basic realm="app"
            > GET /app
              Authorization: Basic {basic alice:three}
            < 401
              WWW-Authenticate: Basic realm="app"
            """,
        ]
    )

    /// How many refusals make a repetition, and within how many seconds.
    private static let limit = (count: 3, seconds: 300.0)

    let needs: ChainTraits = [.repeatedRejection]

    func findings(in chain: Chain) -> Outcome {
        var refused: [String: [AuthenticationExchange]] = [:]
        var findings: [Finding] = []
        for (index, exchange) in chain.exchanges.enumerated() {
            guard isRefusal(exchange), chain.digestFaults[index].subtracting(.noChallenge).isEmpty else {
                if exchange.outcome == .accepted, !refused.isEmpty, let fingerprint = exchange.fingerprint {
                    refused[fingerprint] = nil
                }
                continue
            }
            guard let fingerprint = exchange.fingerprint else { continue }
            // Requests that were under way when a token was first refused are one event, not repetitions.
            if exchange.scheme.kind == .bearer, let earlier = refused[fingerprint]?.last?.lastLeg.transaction,
                exchange.lastLeg.transaction.packet < earlier.responsePacket ?? 0
            {
                continue
            }
            refused[fingerprint, default: []].append(exchange)
            guard let row = refused[fingerprint], row.count == Self.limit.count else { continue }
            let last = row[row.count - 1].lastLeg.transaction
            let span = last.startTime.seconds(since: row[0].lastLeg.transaction.startTime)
            guard span <= Self.limit.seconds, !chain.isMadeGood(after: last, within: 60) else {
                refused[fingerprint]?.removeFirst()
                continue
            }
            let all = chain.exchanges.filter { $0.fingerprint == fingerprint && isRefusal($0) }
            let message = "the same \(exchange.scheme) credential\(name(exchange)) was refused \(all.count) times"
            // Whether it was the same password as well, only a token that is the password itself can prove.
            let isProven = exchange.scheme.kind == .basic || exchange.scheme.kind == .bearer
            findings.append(
                page.finding(
                    message,
                    at: .request(last),
                    in: all.map(\.lastLeg.transaction),
                    confidence: isProven ? .certain : .likely
                )
            )
        }
        return .from(findings)
    }

    private func name(_ exchange: AuthenticationExchange) -> String {
        exchange.user == nil ? "" : " of \(exchange.accountInQuotes)"
    }

    /// A refusal of the credential itself: not of its scheme or of an old nonce, and not of a handshake that the transport
    /// spoiled.
    private func isRefusal(_ exchange: AuthenticationExchange) -> Bool {
        guard exchange.outcome == .rejected, exchange.connections.count == 1 else { return false }
        return exchange.isOffered(exchange.scheme.kind) && !exchange.isRefusedAsStale
    }
}

extension AuthenticationExchange {
    /// Whether the refusal says that the nonce is old, and the password perhaps right.
    ///
    /// - Source: RFC 7616 §3.3 (stale).
    var isRefusedAsStale: Bool {
        lastLeg.transaction.fields(for: target).challenges.contains {
            $0.scheme.kind == .digest && $0.parameters["stale"]?.lowercased() == "true"
        }
    }
}
