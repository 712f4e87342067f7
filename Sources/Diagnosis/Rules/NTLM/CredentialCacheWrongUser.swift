import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct CredentialCacheWrongUser: Rule {
    let page = RulePage(
        id: "credential-cache-wrong-user",
        severity: .error,
        step: .continue,
        title: "After a change of user the former one's connection goes on being used",
        what: """
            One user logs out and another logs in; afterwards the client sends a request without credentials on a \
            connection that is still authenticated as the first one, and is served.
            """,
        why: """
            NTLM authenticates the connection, and a logout of the application does not end it. As long as the client keeps \
            it open, or keeps the former user's URLCredential, whatever goes out on it is done in that user's name.
            """,
        fix: [
            .client(
                """
                Use a new ephemeral URLSession for each user: invalidateAndCancel() the old one, and remove its credentials \
                from URLCredentialStorage and its cookies.
                """
            ),
            .server("Close the connection with the response to a logout (Connection: close)."),
        ],
        verify: "After a logout no request goes out on a connection of the former user.",
        lookAlikes: [
            "Two connections of two users without a logout: people who share an address, or an account that acts for others."
        ],
        sources: ["MS-NTHT §1.3", "RFC 4559 §6", "Apple: URLCredential.Persistence"],
        triggering: [
            """
            connection 1
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            > GET /logout
            < 200
            connection 2
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=bob domain=CORP}
            < 200
            connection 1
            > ↓GET /mail
            < 200
            """
        ],
        notTriggering: [
            """
            # No logout: two people behind one address.
            connection 1
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            connection 2
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=bob domain=CORP}
            < 200
            connection 1
            > GET /mail
            < 200
            """,
            """
            # The same user logs in again.
            connection 1
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            > GET /logout
            < 200
            connection 2
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=ALICE domain=CORP}
            < 200
            connection 1
            > GET /mail
            < 200
            """,
            """
            # The old connection is not used again.
            connection 1
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            > GET /logout
            < 200
            closed by client
            connection 2
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=bob domain=CORP}
            < 200
            > GET /mail
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.severalLogins]

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        for (index, entry) in chain.entries.enumerated()
        where entry.transaction.isServed && entry.transaction.isLogout {
            guard let former = identity(of: entry, in: chain),
                let next = nextUser(than: former, behind: index, in: chain)
            else { continue }
            let late = chain.entries[(next.index + 1)...].filter { later in
                later.exchange == nil && later.summary.status.map { (200..<300).contains($0) } == true
                    && later.summary.packet > next.exchange.lastSummary.packet
                    && later.transaction.userAgentBytes == entry.transaction.userAgentBytes
                    && !later.transaction.isBackgroundFetch && !later.transaction.isLogout
                    && later.connectionAuthenticatedBy.map { isSame(chain.exchanges[$0], former) } == true
            }.map(\.transaction)
            guard let first = late.first else { continue }
            let message =
                "\(former.accountInQuotes) logs out in packet \(entry.transaction.packet) and "
                + "\(next.exchange.accountInQuotes) logs in; the request for \(first.path) goes out on connection \(first.connection), which is still "
                + "authenticated as \(former.accountInQuotes), unless two people share the client's address"
            let transactions = [entry.transaction, next.exchange.lastLeg.transaction] + late
            return .found([page.finding(message, at: .request(first), in: transactions, confidence: .likely)])
        }
        return .clear
    }

    /// The login that a request without credentials of its own rides on, or that it brings.
    private func identity(of entry: ClientSession.Entry, in chain: Chain) -> AuthenticationExchange? {
        guard let index = entry.connectionAuthenticatedBy ?? entry.exchange else { return nil }
        let exchange = chain.exchanges[index]
        return exchange.outcome == .accepted && exchange.authenticate != nil && exchange.user?.isEmpty == false
            ? exchange : nil
    }

    /// The first login of somebody else behind a logout, and the index of its entry.
    private func nextUser(
        than former: AuthenticationExchange,
        behind logout: Int,
        in chain: Chain
    ) -> (exchange: AuthenticationExchange, index: Int)? {
        let agent = chain.entries[logout].transaction.userAgentBytes
        for index in chain.entries.indices[(logout + 1)...] {
            guard chain.entries[index].transaction.userAgentBytes == agent,
                chain.entries[index].exchange != nil, let exchange = identity(of: chain.entries[index], in: chain),
                exchange.legs[0].transaction.packet > chain.entries[logout].summary.packet
            else { continue }
            return isSame(exchange, former) ? nil : (exchange, index)
        }
        return nil
    }

    private func isSame(_ one: AuthenticationExchange, _ other: AuthenticationExchange) -> Bool {
        one.user?.lowercased() == other.user?.lowercased()
    }
}

extension Transaction {
    /// Whether the path says that somebody logs out.
    fileprivate var isLogout: Bool {
        let path = pathBytes
        let last = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)...]
        // Nearly every path ends in something else, as its first letter tells.
        guard let letter = last.first.map({ $0 | 0x20 }), letter == UInt8(ascii: "l") || letter == UInt8(ascii: "s")
        else {
            return false
        }
        let name = fieldText(last).lowercased().prefix { $0 != "." }.filter { $0 != "-" && $0 != "_" }
        return ["logout", "logoff", "signout", "signoff"].contains(name)
    }
}
