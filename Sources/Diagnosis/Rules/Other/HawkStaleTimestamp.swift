import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct HawkStaleTimestamp: Rule {
    let page = RulePage(
        id: "hawk-stale-timestamp",
        severity: .error,
        step: .accept,
        title: "Hawk timestamp is too far from the server's time",
        what:
            "A Hawk request is refused, and its ts is more than a minute from the time that the server or the capture has.",
        why: """
            ts is part of what is signed, and protects against recorded requests: a server accepts a minute or so to either \
            side of its own clock. A device whose clock is off is refused whatever its key is.
            """,
        fix: [
            .client(
                """
                Set the device's clock, or add the difference to the ts of the 401 after checking its tsm. Sign when the \
                request is sent, not when it is queued.
                """
            ),
            .server("Send ts and tsm with the 401, so that clients can correct themselves; run NTP."),
        ],
        verify: "ts and the server's time are within a minute of each other.",
        lookAlikes: ["A wrong key or mac: then the times agree."],
        supersedes: ["stale-credentials-lockout"],
        sources: ["Hawk: replay protection, time synchronization (github.com/mozilla/hawk)"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Hawk id="alice", ts="1767600000", nonce="a", mac="6R4rV5iE="
            < 401
              WWW-Authenticate: Hawk ts="1767603600", tsm="2oNq7sJ3Zr8=", error="Stale timestamp"
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Hawk id="alice", ts="1767600000", nonce="a", mac="6R4rV5iE="
            < 401
              WWW-Authenticate: Hawk
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Hawk id="alice", ts="1767603600", nonce="a", mac="6R4rV5iE="
            < 401
              WWW-Authenticate: Hawk error="Bad mac"
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Hawk id="alice", ts="1767600000", nonce="a", mac="6R4rV5iE="
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedOther]

    /// How far a client's clock may be off, in seconds: the usual tolerance of servers.
    private static let tolerance = 60

    /// What a refusal shows of the two clocks.
    private struct Skew {
        /// How far the client's time is behind the server's, in seconds; `nil` where the server's words alone tell.
        let seconds: Int?
        let isCertain: Bool
    }

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter { $0.scheme == .hawk && $0.outcome == .rejected && skew(of: $0) != nil }
        guard let first = refused.first, let skew = skew(of: first) else { return .clear }
        return chain.outcome(of: refused, as: page, confidence: skew.isCertain ? .certain : .likely) { _ in
            guard let seconds = skew.seconds else { return "the server refuses the Hawk request: stale timestamp" }
            let direction = seconds < 0 ? "ahead of" : "behind"
            let clock = skew.isCertain ? "the server's time" : "the time of the capture"
            return "the refused Hawk request was signed \(seconds.magnitude) s \(direction) \(clock)"
        }
    }

    private func skew(of exchange: AuthenticationExchange) -> Skew? {
        let transaction = exchange.lastLeg.transaction
        let challenge = transaction.fields(for: exchange.target).challenges.first { $0.scheme == .hawk }
        let isNamed = challenge?.parameters["error"]?.lowercased().contains("timestamp") == true
        guard let sent = exchange.lastLeg.credentials.parameters["ts"].flatMap({ Int32($0) }).map(Int.init) else {
            return isNamed ? Skew(seconds: nil, isCertain: true) : nil
        }
        let stated = challenge?.parameters["ts"].flatMap { Int32($0) }.map(Int.init)
        let seconds = (stated ?? Int(transaction.endTime.nanoseconds / 1_000_000_000)) - sent
        guard seconds.magnitude > Self.tolerance else { return isNamed ? Skew(seconds: nil, isCertain: true) : nil }
        // A server that gives another reason has looked at the time, and found it right.
        guard isNamed || challenge?.parameters["error"] == nil else { return nil }
        return Skew(seconds: seconds, isCertain: stated != nil)
    }
}
