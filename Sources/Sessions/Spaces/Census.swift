/// What all sessions together show of exchanges and users, in numbers.
public struct Census: Sendable {
    private var counts = OutcomeCounts()

    /// The key of the first exchange of each account; see `AuthenticationExchange.key`.
    private(set) var accounts: [String: Int32] = [:]

    init() {}

    /// How many exchanges ended in each way; those in which none did are not listed.
    public var outcomes: [AuthenticationExchange.Outcome: Int] {
        AuthenticationExchange.Outcome.allCases.reduce(into: [:]) { outcomes, outcome in
            if counts[outcome] > 0 { outcomes[outcome] = counts[outcome] }
        }
    }

    /// How many accounts there are.
    public var accountCount: Int { accounts.count }

    /// Counts what a session shows.
    mutating func add(_ session: borrowing SessionDraft) {
        counts.add(session.tally.counts)
        var last: String?
        // By index: a loop over the elements would count references to each.
        for index in session.exchanges.indices {
            // A client mostly goes on with the account that it has.
            guard let account = session.exchanges[index].account, account != last else { continue }
            last = account
            note(account, session.exchanges[index].key)
        }
    }

    /// Notes an exchange of an account; nearly always the account has an earlier one.
    private mutating func note(_ account: String, _ key: Int32) {
        if let first = accounts[account], first <= key { return }
        accounts[account] = key
    }

    /// Makes room for as many accounts.
    mutating func reserveCapacity(_ count: Int) { accounts.reserveCapacity(count) }

    /// Adds what other sessions show.
    mutating func add(_ other: Census) {
        counts.add(other.counts)
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
