import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct ServerNoAnswer: Rule {
    let page = RulePage(
        id: "server-no-answer",
        severity: .error,
        step: .accept,
        title: "The server never answers a request with credentials",
        what: "A request with credentials is followed by ten seconds or more without a byte of an answer.",
        why: """
            To judge the credential the server has to ask somebody: a domain controller, a directory, a token service. \
            While that one is out of reach the request hangs, and the client runs into its time-out.
            """,
        fix: [
            .server("Check the server's way to its domain controller, directory or token service, and its threads."),
            .network("Look for a filter that drops the packets of long header blocks without a word."),
            .client("Tell NSURLErrorTimedOut (-1001) from a refusal: the credential may be right."),
        ],
        verify: "The same request is answered within a second or two.",
        lookAlikes: ["A long poll, whose earlier answers took as long.", "A capture that ends too early."],
        sources: ["RFC 9110 §15.5.9"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Basic {basic alice:secret}
            wait 60 s
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="intranet"
            > ↓GET /app
              Authorization: Basic {basic alice:secret}
            end wait 30 s
            """,
        ],
        notTriggering: [
            """
            # The user goes elsewhere.
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            wait 2 s
            closed by client
            """,
            """
            # A long poll.
            connection 1
            > GET /events
              Authorization: Basic {basic alice:secret}
            wait 30 s
            < 200
            > GET /events
              Authorization: Basic {basic alice:secret}
            wait 12 s
            closed by client
            """,
            """
            # Repeated and answered on the next connection.
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            wait 15 s
            closed by client
            connection 2
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            """,
            """
            # The answer may be among the bytes that the capture lacks.
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            lost <
            < 200
            wait 15 s
            closed by client
            """,
        ]
    )

    /// How long an answer may take, in seconds.
    private static let patience = 10.0

    let needs: ChainTraits = [.unfinished]

    func findings(in chain: Chain) -> Outcome {
        let waiting = chain.exchanges.map(\.lastLeg.transaction).filter { transaction in
            transaction.response == nil && transaction.request?.isHeadComplete == true
                && waitedFor(transaction, in: chain) >= Self.patience && !isLongPoll(transaction, in: chain)
                && !chain.isDecidedLater(than: transaction)
        }
        guard let first = waiting.first else { return .clear }
        let hidden = waiting.filter { chain.connection(of: $0).mayHideAnswer }
        guard hidden.isEmpty else {
            let reason = "the answer may be among what the capture lacks"
            return .cannotTell(Incompleteness(reason, connections: hidden.map(\.connection)))
        }
        let seconds = Int(waitedFor(first, in: chain))
        let message = "no answer came to the request with credentials, for \(seconds) s"
        return .found([page.finding(message, at: .request(first), in: waiting)])
    }

    /// How long the capture shows that nobody answered, in seconds; 0 where the server ended the connection.
    private func waitedFor(_ transaction: Transaction, in chain: Chain) -> Double {
        let connection = chain.connection(of: transaction)
        if connection.closedBy?.side == .server { return 0 }
        return (connection.closeTime ?? chain.context.end).seconds(since: transaction.startTime)
    }

    /// Whether the same resource was delivered before after as long a time.
    private func isLongPoll(_ transaction: Transaction, in chain: Chain) -> Bool {
        chain.entries.contains { entry in
            entry.transaction.response != nil && entry.transaction.path == transaction.path
                && entry.transaction.endTime.seconds(since: entry.transaction.startTime) >= Self.patience
        }
    }
}
