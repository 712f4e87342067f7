/// What all sessions together show of exchanges and users, in numbers.
public struct Census: Sendable {
    /// How many exchanges ended in each way.
    public private(set) var outcomes: [AuthenticationExchange.Outcome: Int] = [:]

    /// The key of the first exchange of each account; see `AuthenticationExchange.key`.
    private(set) var accounts: [String: Int32] = [:]

    init() {}

    /// How many accounts there are.
    public var accountCount: Int { accounts.count }

    /// Counts what a session shows.
    mutating func add(_ session: SessionDraft) {
        for outcome in AuthenticationExchange.Outcome.allCases {
            let count = session.tally.count(outcome)
            if count > 0 { outcomes[outcome, default: 0] += count }
        }
        var last: String?
        for exchange in session.exchanges {
            // A client mostly goes on with the account that it has.
            guard let account = exchange.account, account != last else { continue }
            last = account
            let key = exchange.key
            accounts[account, default: key].lower(to: key)
        }
    }

    /// Makes room for as many accounts.
    mutating func reserveCapacity(_ count: Int) { accounts.reserveCapacity(count) }

    /// Adds what other sessions show.
    mutating func add(_ other: Census) {
        outcomes.merge(other.outcomes, uniquingKeysWith: +)
        accounts.merge(other.accounts, uniquingKeysWith: min)
    }

    /// The accounts in the order in which they are met, at most `count`.
    public func firstAccounts(_ count: Int) -> [String] {
        // To put all of them in order would take longer than to count them did.
        var first: [(account: String, key: Int32)] = []
        for (account, key) in accounts where first.count < count || first.last.map({ key < $0.key }) ?? false {
            first.insert((account, key), at: first.firstIndex { key < $0.key } ?? first.count)
            if first.count > count { first.removeLast() }
        }
        return first.map(\.account)
    }
}

extension Int32 {
    fileprivate mutating func lower(to other: Int32) { self = Swift.min(self, other) }
}
