import AuthScanSessions

/// What all sessions together show of exchanges and users, in numbers.
struct Census: Sendable {
    /// How many exchanges ended in each way.
    private(set) var outcomes: [AuthenticationExchange.Outcome: Int] = [:]

    /// The number of the first exchange of each account.
    private(set) var accounts: [String: Int] = [:]

    /// Nothing.
    init() {}

    /// Counts what a range of the sessions shows.
    init(_ range: Range<Int>, of sessions: [ClientSession]) {
        for index in range {
            sessions.prefetch(behind: index, withCaptured: false)
            add(sessions[index])
        }
    }

    private mutating func add(_ session: ClientSession) {
        for outcome in AuthenticationExchange.Outcome.allCases {
            let count = session.tally.count(outcome)
            if count > 0 { outcomes[outcome, default: 0] += count }
        }
        var last: String?
        for exchange in session.exchanges {
            // A client mostly goes on with the account that it has.
            guard let account = exchange.account, account != last else { continue }
            last = account
            accounts[account] = min(accounts[account] ?? .max, exchange.number)
        }
    }

    /// Adds what other sessions show.
    mutating func add(_ other: Census) {
        outcomes.merge(other.outcomes, uniquingKeysWith: +)
        accounts.merge(other.accounts, uniquingKeysWith: min)
    }

    /// The accounts in the order in which they are met, at most `count`.
    func firstAccounts(_ count: Int) -> [String] {
        accounts.sorted { $0.value < $1.value }.prefix(count).map(\.key)
    }
}
