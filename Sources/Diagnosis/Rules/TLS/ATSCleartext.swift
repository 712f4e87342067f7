import AuthScanSessions
import AuthScanWire

struct ATSCleartext: Rule {
    let page = RulePage(
        id: "ats-cleartext",
        severity: .note,
        title: "A redirect to an http address is not followed, perhaps for App Transport Security",
        what: """
            A server sends a client of one of Apple's systems from https to an http address; the client goes on elsewhere, \
            and never connects to a port of that number.
            """,
        why: """
            App Transport Security refuses cleartext before a packet is sent: the app gets NSURLErrorDomain -1022, and the \
            capture shows nothing but, at most, that the name is looked up.
            """,
        fix: [
            .server("Redirect to the https address, and serve the page there."),
            .client(
                """
                NSExceptionDomains with NSExceptionAllowsInsecureHTTPLoads can lift it for one host; it is better not to. \
                NSAllowsLocalNetworking is enough for .local names and unqualified ones.
                """
            ),
        ],
        verify: "The redirect names an https address, and the client follows it.",
        lookAlikes: ["A user who goes elsewhere meanwhile, or a page from the cache: nothing on the wire, either."],
        sources: ["Apple, NSAppTransportSecurity", "RFC 9110 §10.2.2"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443 over tls
            > GET /go/wiki
              Authorization: Basic {basic alice:secret}
              User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148
            < ↓302
              Location: http://wiki.example/
            wait 12 s
            > GET /news
              Authorization: Basic {basic alice:secret}
              User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148
            < 200
            """
        ],
        notTriggering: [
            """
            # It is followed.
            connection 1 to 198.51.100.20:443 over tls
            > GET /go/wiki
              Authorization: Basic {basic alice:secret}
              User-Agent: Nordwind/482 CFNetwork/1568.200.51 Darwin/24.1.0
            < 302
              Location: http://wiki.example/
            connection 2 to 198.51.100.21:80
            > GET /
              Host: wiki.example
            < 200
            connection 1
            wait 12 s
            > GET /news
              Authorization: Basic {basic alice:secret}
              User-Agent: Nordwind/482 CFNetwork/1568.200.51 Darwin/24.1.0
            < 200
            """,
            """
            # The client goes nowhere any more.
            connection 1 to 198.51.100.20:443 over tls
            > GET /go/wiki
              Authorization: Basic {basic alice:secret}
              User-Agent: Nordwind/482 CFNetwork/1568.200.51 Darwin/24.1.0
            < 302
              Location: http://wiki.example/
            closed by client
            """,
            """
            # A client that nothing binds.
            connection 1 to 198.51.100.20:443 over tls
            > GET /go/wiki
              Authorization: Basic {basic alice:secret}
              User-Agent: curl/8.6.0
            < 302
              Location: http://wiki.example/
            wait 12 s
            > GET /news
              Authorization: Basic {basic alice:secret}
              User-Agent: curl/8.6.0
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.tls, .redirect]

    /// How long the client must have gone on elsewhere, in seconds.
    private static let patience = 10.0

    func findings(in chain: Chain) -> Outcome {
        for entry in chain.entries {
            let transaction = entry.transaction
            guard let target = transaction.cleartextTarget, goesOn(after: transaction, in: chain),
                !isReached(target, after: transaction, in: chain)
            else { continue }
            let message =
                "the redirect to \(target) is not followed: an app may not load it without an exception of App Transport "
                + "Security"
            return .found([page.finding(message, at: .response(transaction), in: [transaction], confidence: .possible)])
        }
        return .clear
    }

    /// Whether the client asks this server for something else long enough afterwards.
    private func goesOn(after transaction: Transaction, in chain: Chain) -> Bool {
        guard let last = chain.entries.last?.transaction, last.number > transaction.number else { return false }
        return last.startTime.seconds(since: transaction.endTime) >= Self.patience
    }

    /// Whether the client connects to a server's port of that number, or a request for the host is seen, from then on.
    private func isReached(_ target: Origin, after transaction: Transaction, in chain: Chain) -> Bool {
        let client = chain.session.client
        return chain.context.capture.connections.contains { connection in
            connection.client.address == client && Int(connection.server.port) == target.port
                && connection.lastPacket > transaction.packet
        }
            || chain.context.transactions(of: client, after: transaction, atMost: Self.window).contains {
                $0.origin.host == target.host
            }
    }

    /// How many of the client's transactions are looked at.
    private static let window = 256
}

extension Transaction {
    /// The http server that an https server redirects a client of one of Apple's systems to; `nil` for anything else.
    fileprivate var cleartextTarget: Origin? {
        guard let status, [301, 302, 303, 307, 308].contains(status), http.isSecure,
            let location = response?.fields.text(of: .location), location.lowercased().hasPrefix("http://"),
            let agent = userAgent, Transaction.appleMarks.contains(where: { agent.contains($0) })
        else { return nil }
        return Origin(scheme: "http", authority: location.dropFirst(7).prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }

    private static let appleMarks = ["CFNetwork/", "iPhone", "iPad", "Macintosh"]
}
