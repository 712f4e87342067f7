import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct CaptivePortal: Rule {
    let page = RulePage(
        id: "captive-portal",
        severity: .error,
        title: "A network's login page answers in the servers' place",
        what: """
            The network answers 511, or requests for several hosts are redirected to one private address within a minute.
            """,
        why: """
            Until the user has signed in to the network, its gateway answers for every host. What the app takes for the \
            server's answer, a page, a redirect or a refusal, says nothing about the server or the credential.
            """,
        fix: [
            .network("Sign in to the network, or let the device pass."),
            .client(
                """
                Look at NWPathMonitor and set waitsForConnectivity; do not take such an answer for a 401, and do not ask \
                for a password.
                """
            ),
        ],
        verify: "http://captive.apple.com/hotspot-detect.html is answered with Success.",
        lookAlikes: ["One host that redirects to its own login page: ordinary."],
        explains: ["challenge-unanswered", "session-cookie-not-returned", "login-redirect-instead-of-401"],
        sources: ["RFC 6585 §6", "RFC 8910"],
        triggering: [
            """
            connection 1
            > GET /hotspot-detect.html
              Host: captive.apple.com
            < ↓302
              Location: http://10.11.0.1/login
            connection 2
            > GET /
              Host: news.example
            < 302
              Location: http://10.11.0.1/login
            """,
            """
            connection 1
            > GET /
            < ↓511
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /
              Host: intranet.example
            < 302
              Location: http://10.11.0.1/login
            connection 2
            > GET /more
              Host: intranet.example
            < 302
              Location: http://10.11.0.1/login
            """,
            """
            connection 1
            > GET /
              Host: a.example
            < 302
              Location: http://login.example/
            connection 2
            > GET /
              Host: b.example
            < 302
              Location: http://login.example/
            """,
        ]
    )

    let needs: ChainTraits = [.redirect]

    /// How many of the client's transactions around a redirect are looked at, and how long they may lie apart, in seconds.
    private static let window = (count: 64, seconds: 60.0)

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin,
            let first = chain.entries.lazy.map(\.transaction).first(where: { $0.isPortalAnswer })
        else { return .notApplicable }
        if first.status == 511 {
            let message = "the network answers 511: it wants the user to sign in to it first"
            return .found([page.finding(message, at: .response(first), in: [first])])
        }
        let client = chain.session.client
        let isAlike = { (other: Transaction) in
            other.isPortalAnswer && other.redirectHost == first.redirectHost && other.origin != first.origin
                && abs(other.startTime.seconds(since: first.startTime)) <= Self.window.seconds
        }
        // One finding suffices: in the chain of the first host that was redirected.
        guard !chain.context.transactions(of: client, before: first, atMost: Self.window.count).contains(where: isAlike)
        else { return .clear }
        let others = chain.context.transactions(of: client, after: first, atMost: Self.window.count).filter(isAlike)
        guard let portal = first.redirectHost, !others.isEmpty else { return .clear }
        let hosts = Set(([first] + others).map(\.origin.host)).count
        let message = "\(hosts) hosts are redirected to \(portal): a network's login page answers in their place"
        return .found([page.finding(message, at: .response(first), in: [first] + others)])
    }
}
