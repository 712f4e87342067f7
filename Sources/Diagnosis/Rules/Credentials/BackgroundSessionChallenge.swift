import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct BackgroundSessionChallenge: Rule {
    let page = RulePage(
        id: "background-session-challenge",
        severity: .warning,
        step: .continue,
        title: "A download is resumed without the credential that it began with",
        what: """
            A resource is served to a URLSession with Authorization; a later request of it for the rest (Range) has none, \
            and its challenge is never answered.
            """,
        why: """
            The system resumes the download of a background session by itself, from the URL and what has come so far. A \
            hand-set field may be missing then, and while the app is suspended, or where its session-level delegate is \
            empty, nobody answers the challenge: the download waits, or never ends.
            """,
        fix: [
            .client(
                """
                Answer in urlSession(_:task:didReceive:completionHandler:), and leave no empty \
                urlSession(_:didReceive:completionHandler:) behind, which swallows the challenge.
                """
            ),
            .client(
                "Before resuming, ask for a fresh URL or token, and start with the resume data anew where it has changed."
            ),
            .server("Serve downloads by signed URLs, which need no challenge."),
        ],
        verify: "The request with Range carries Authorization, or its challenge is answered, and 206 follows.",
        lookAlikes: [
            "A pause of the user's: the resumed request is answered with 206.",
            "A client that asks bare each time, and answers the challenge.",
        ],
        explains: ["authorization-only-on-first-request", "challenge-unanswered", "no-common-scheme"],
        sources: ["RFC 9110 §14.2", "Apple: Downloading files in the background"],
        triggering: [
            """
            connection 1
            > GET /media/7
              User-Agent: Reader/3 CFNetwork/1498.700.2 Darwin/23.6.0
              Authorization: Basic {basic alice:secret}
            < 200
              body 400
            closed by client
            wait 2 min
            connection 2
            > GET /media/7
              User-Agent: Reader/3 CFNetwork/1498.700.2 Darwin/23.6.0
              Range: bytes=400-
            < ↓401
              WWW-Authenticate: Basic realm="media"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /media/7
              User-Agent: Reader/3 CFNetwork/1498.700.2 Darwin/23.6.0
              Authorization: Basic {basic alice:secret}
            < 200
              body 400
            closed by client
            wait 2 min
            connection 2
            > GET /media/7
              User-Agent: Reader/3 CFNetwork/1498.700.2 Darwin/23.6.0
              Range: bytes=400-
            < 401
              WWW-Authenticate: Basic realm="media"
            > GET /media/7
              User-Agent: Reader/3 CFNetwork/1498.700.2 Darwin/23.6.0
              Range: bytes=400-
              Authorization: Basic {basic alice:secret}
            < 206
            closed by client
            """,
            """
            # Another program.
            connection 1
            > GET /media/7
              User-Agent: curl/8.5.0
              Authorization: Basic {basic alice:secret}
            < 200
              body 400
            > GET /media/7
              User-Agent: curl/8.5.0
              Range: bytes=400-
            < 401
              WWW-Authenticate: Basic realm="media"
            closed by client
            """,
            """
            # Not the rest of something, but another resource.
            connection 1
            > GET /media/7
              User-Agent: Reader/3 CFNetwork/1498.700.2 Darwin/23.6.0
              Authorization: Basic {basic alice:secret}
            < 200
              body 400
            > GET /media/8
              User-Agent: Reader/3 CFNetwork/1498.700.2 Darwin/23.6.0
            < 401
              WWW-Authenticate: Basic realm="media"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.accepted, .bareRefusal, .unanswered]

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        for event in chain.unansweredChallenges where !chain.hasCredentials(after: event.transaction) {
            let resumed = event.transaction
            guard resumed.isResumedByTheSystem, let begun = beginning(of: resumed, in: chain) else { continue }
            if let incompleteness = chain.incompleteness(of: [begun, resumed]) { return .cannotTell(incompleteness) }
            let message =
                "\(resumed.path) is served with credentials in packet \(begun.responsePacket ?? 0); the request for "
                + "the rest brings none, and nobody answers its challenge"
            return .found([page.finding(message, at: .response(resumed), in: [begun, resumed])])
        }
        return .clear
    }

    /// The latest request with credentials that the same program got the resource by.
    private func beginning(of resumed: Transaction, in chain: Chain) -> Transaction? {
        let target = resumed.request?.targetBytes
        return chain.exchanges.last { exchange in
            let begun = exchange.lastLeg.transaction
            return exchange.outcome == .accepted && !exchange.isConnectionBound && begun.packet < resumed.packet
                && (begun.status == 200 || begun.status == 206) && begun.request?.targetBytes == target
                && begun.userAgentBytes == resumed.userAgentBytes
        }?.lastLeg.transaction
    }
}

extension Transaction {
    /// Whether it asks for the rest of a resource, in the name of an app with Apple's loading system.
    fileprivate var isResumedByTheSystem: Bool {
        guard method == "GET", let range = request?.fields.text(of: .range), let agent = userAgent else { return false }
        return range.hasPrefix("bytes=") && !range.hasPrefix("bytes=0-") && agent.contains("CFNetwork/")
    }
}
