import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct UnknownScheme: Rule {
    let page = RulePage(
        id: "unknown-scheme",
        severity: .note,
        title: "Scheme that is not known",
        what: """
            A challenge or credentials name an authentication scheme that is neither registered nor known to be in use \
            without that.
            """,
        why: """
            What such a scheme means is settled between one vendor's clients and servers. Its parameters are shown as they \
            stand; whether an answer fits its challenge cannot be told, and no general client answers it.
            """,
        fix: [
            .server("Offer a registered scheme beside it where other clients than the vendor's own are to log in."),
            .client("Use the vendor's library for the scheme, or answer another of the offered ones."),
        ],
        verify: "The client answers a scheme that it knows, and is let in.",
        lookAlikes: [
            "A bare token without any scheme: authorization-without-scheme.",
            "A misspelt scheme, or a challenge that is broken in another way: challenge-malformed.",
        ],
        sources: ["IANA HTTP Authentication Scheme Registry", "RFC 9110 §11.1", "RFC 9110 §16.4.1"],
        triggering: [
            """
            connection 1
            > GET /objects
            < ↓401
              WWW-Authenticate: Lfs-Acme realm="store", key="1"
            closed by client
            """,
            """
            # Nobody asked for it.
            connection 1
            > ↓GET /objects
              Authorization: X-Acme user="alice", digest="6R4rV5iE="
            < 200
            """,
        ],
        notTriggering: [
            """
            # Registered, and in use without that.
            connection 1
            > GET /objects
            < 401
              WWW-Authenticate: HOBA max-age="180", challenge="16:MTEyMzEyMzEyMw==1:028:aHR0cHM6Ly93d3c="
              WWW-Authenticate: Hawk
              WWW-Authenticate: AWS4-HMAC-SHA256
            closed by client
            """,
            """
            # No scheme at all.
            connection 1
            > GET /objects
              Authorization: 6R4rV5iE6R4rV5iE6R4rV5iE
            < 200
            """,
            """
            # A word that starts no challenge.
            connection 1
            > GET /objects
            < 401
              WWW-Authenticate: Basic realm="store" please=, log in
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.unknownScheme]

    /// How many schemes are named for one chain.
    private static let limit = 8

    func findings(in chain: Chain) -> Outcome {
        var named: [AuthenticationScheme] = []
        var findings: [Finding] = []
        for entry in chain.entries {
            for place in unknown(in: entry.transaction, chain.target) where !named.contains(place.scheme) {
                guard named.count < Self.limit else { return .from(findings) }
                named.append(place.scheme)
                findings.append(page.finding(place.message, at: place.packet, in: [entry.transaction]))
            }
        }
        return .from(findings)
    }

    private struct Place {
        let scheme: AuthenticationScheme
        let message: String
        let packet: DecisivePacket
    }

    /// What a transaction says of unknown schemes; what is malformed may be no scheme at all.
    private func unknown(in transaction: Transaction, _ target: AuthenticationTarget) -> [Place] {
        let fields = transaction.fields(for: target)
        let who = target == .origin ? "the server" : "the proxy"
        let credentials = fields.credentials.filter { !$0.scheme.isKnown && $0.problems.isEmpty }.map(\.scheme)
        let isWellFormed = fields.challenges.allSatisfy(\.problems.isEmpty)
        let challenges = isWellFormed ? fields.challenges.map(\.scheme).filter { !$0.isKnown } : []
        return credentials.filter { !$0.rawValue.isEmpty }.map { scheme in
            let message = "the client answers with the scheme \(scheme.rawValue.excerptInQuotes), which is not known"
            return Place(scheme: scheme, message: message, packet: .request(transaction))
        }
            + challenges.filter { !$0.rawValue.isEmpty }.map { scheme in
                let message = "\(who) offers the scheme \(scheme.rawValue.excerptInQuotes), which is not known"
                return Place(scheme: scheme, message: message, packet: .response(transaction))
            }
    }
}
