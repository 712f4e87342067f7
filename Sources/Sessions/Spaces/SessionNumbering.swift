import AuthScanBytes
import AuthScanWire

/// Numbers spaces, exchanges and sessions in the order in which they begin.
struct SessionNumbering {
    private struct SpaceKey: Hashable {
        let server: Int32
        let realm: String?
        let isProxy: Bool
    }

    private let drafts: [SessionDraft]
    /// The indices of the drafts, in the order in which they begin.
    private let order: [Int32]
    private let starts: [ExchangeStart]
    /// The numbers of the exchanges by what they are in order by; see `AuthenticationExchange.key`.
    private let exchangeNumbers: [Int32]
    private let origins: [Origin]
    private var spaces: [ProtectionSpace] = []
    /// The index in `spaces` of each draft's, in the order of the sessions.
    private var spaceIndices: [Int] = []

    /// Puts drafts in order; `starts` says where their exchanges begin, draft by draft.
    init(_ drafts: [SessionDraft], _ starts: [ExchangeStart], _ origins: [Origin]) {
        self.drafts = drafts
        self.starts = starts
        self.origins = origins
        // What a draft begins with and where it stands in one integer sort much faster than a pair.
        var keys = drafts.indices.map { UInt64(drafts[$0].firstPacket) << 32 | UInt64($0) }
        keys.sort()
        order = keys.map { Int32($0 & 0xFFFF_FFFF) }
        exchangeNumbers = SessionNumbering.numbers(of: starts)
        numberSpaces()
    }

    /// The numbers of the exchanges by their keys, which no two share.
    private static func numbers(of starts: [ExchangeStart]) -> [Int32] {
        let count = (starts.lazy.map(\.key).max() ?? -1) + 1
        var numbers = [Int32](repeating: 0, count: Int(count))
        for start in starts { numbers[Int(start.key)] = 1 }
        var number: Int32 = 0
        for key in numbers.indices {
            number += numbers[key]
            numbers[key] = number
        }
        return numbers
    }

    /// Lists the protection spaces; one that several sessions have has the schemes of all.
    private mutating func numberSpaces() {
        var indices: [SpaceKey: Int] = [:]
        // The space that each server and proxy had last: nearly all have one, and its realm need not be hashed.
        var latest = [Int](repeating: -1, count: 2 * origins.count)
        var known: [SchemeKinds] = []
        spaceIndices.reserveCapacity(drafts.count)
        for place in order.lazy.map({ Int($0) }) {
            let index = spaceIndex(of: place, &latest, &indices)
            spaceIndices.append(index)
            if index == spaces.count {
                spaces.append(space(ofDraft: place, number: index + 1))
                known.append(drafts[place].schemeKinds)
            } else if !known[index].coversAllSchemes(of: drafts[place].schemeKinds) {
                known[index].formUnion(drafts[place].schemeKinds)
                for scheme in drafts[place].schemes where !spaces[index].schemes.contains(scheme) {
                    spaces[index].schemes.append(scheme)
                }
            }
        }
    }

    /// The index of a draft's space in `spaces`: the next one where it is not there yet.
    private func spaceIndex(of draft: Int, _ latest: inout [Int], _ indices: inout [SpaceKey: Int]) -> Int {
        let (server, isProxy) = (drafts[draft].group.server, drafts[draft].target == .proxy)
        let slot = Int(server) << 1 | (isProxy ? 1 : 0)
        if latest[slot] >= 0, spaces[latest[slot]].realm == drafts[draft].realm { return latest[slot] }
        let key = SpaceKey(server: server, realm: drafts[draft].realm, isProxy: isProxy)
        let index = indices[key] ?? spaces.count
        indices[key] = index
        latest[slot] = index
        return index
    }

    private func space(ofDraft place: Int, number: Int) -> ProtectionSpace {
        ProtectionSpace(
            number: number,
            origin: origins[Int(drafts[place].group.server)],
            realm: drafts[place].realm,
            isProxy: drafts[place].target == .proxy,
            schemes: drafts[place].schemes
        )
    }

    /// The sessions in order, and what they consist of.
    ///
    /// What was asked of key distribution centers goes to the sessions that it bears on, and makes sessions of its own otherwise.
    func sessions(_ kdcExchanges: [KDCExchange], _ workers: Workers) -> Sessions {
        var result = Sessions()
        result.spaces = spaces
        result.kdcExchanges = kdcExchanges
        var ties = KDCTies(kdcExchanges)
        let tied = kdcExchanges.isEmpty ? [] : order.map { claim(drafts[Int($0)], in: &ties) }
        let groups = ties.unclaimed()
        let numbers = sessionNumbers(groups)
        let parts = workers.map(order.count) { range in
            range.map { session($0, number: numbers.isEmpty ? $0 + 1 : numbers[$0], tied.isEmpty ? [] : tied[$0]) }
        }
        result.sessions = Workers.gathered(parts)
        result.add(groups)
        result.exchanges = NumberedExchanges(places: exchangePlaces(numbers), in: result.sessions)
        return result
    }

    private func claim(_ draft: SessionDraft, in ties: inout KDCTies) -> [KDCExchange] {
        ties.claim(for: draft, at: origins[Int(draft.group.server)])
    }

    /// The numbers of the drafts' sessions, where other ones begin between them; empty where there are none.
    private func sessionNumbers(_ groups: [KDCGroup]) -> [Int] {
        guard !groups.isEmpty else { return [] }
        var before = 0
        return order.indices.map { index in
            let firstPacket = drafts[Int(order[index])].firstPacket
            while before < groups.count, groups[before].firstPacket < firstPacket { before += 1 }
            return index + 1 + before
        }
    }

    private func session(_ index: Int, number: Int, _ kdcExchanges: [KDCExchange]) -> ClientSession {
        if index + SessionNumbering.usefulAhead < order.count {
            drafts[Int(order[index + SessionNumbering.usefulAhead])].prefetchExchanges()
        }
        let place = Int(order[index])
        let space = space(ofDraft: place, number: spaceIndices[index] + 1)
        // By index: a loop over the elements would count references to each.
        for exchange in drafts[place].exchanges.indices {
            let key = Int(drafts[place].exchanges[exchange].key)
            drafts[place].exchanges[exchange].number(exchangeNumbers[key], space: space.number)
        }
        return ClientSession(drafts[place], number: number, space: space, kdcExchanges: kdcExchanges)
    }

    /// How many sessions ahead it is of use to ask for what will be numbered.
    private static let usefulAhead = 2

    /// Where each exchange is, by their numbers; `numbers` are those of the sessions, empty where they are in one row.
    private func exchangePlaces(_ numbers: [Int]) -> [NumberedExchanges.Place] {
        var sessions = [Int32](repeating: 0, count: drafts.count)
        for (index, draft) in order.enumerated() {
            sessions[Int(draft)] = Int32(numbers.isEmpty ? index : numbers[index] - 1)
        }
        var places = [NumberedExchanges.Place](repeating: .init(session: 0, exchange: 0), count: starts.count)
        var (draft, exchange): (Int32, Int32) = (-1, 0)
        for start in starts {
            exchange = start.draft == draft ? exchange + 1 : 0
            draft = start.draft
            let place = NumberedExchanges.Place(session: sessions[Int(draft)], exchange: exchange)
            places[Int(exchangeNumbers[Int(start.key)]) - 1] = place
        }
        return places
    }
}

extension Sessions {
    /// Puts what bears on no session of a server among the sessions, where they left out its numbers, and behind them.
    fileprivate mutating func add(_ groups: [KDCGroup]) {
        guard !groups.isEmpty else { return }
        var realms: [String: Int] = [:]
        var groups = groups[...]
        let numbered = sessions
        sessions = []
        for session in numbered {
            while sessions.count + 1 < session.number { append(groups.removeFirst(), &realms) }
            sessions.append(session)
        }
        for group in groups { append(group, &realms) }
    }

    /// Appends a session of its own for a client and a realm; `realms` has the numbers of the spaces that there are for realms.
    private mutating func append(_ group: KDCGroup, _ realms: inout [String: Int]) {
        let known = realms[group.realm]
        let session = ClientSession(group, number: sessions.count + 1, space: known ?? spaces.count + 1)
        if known == nil {
            realms[group.realm] = session.space.number
            spaces.append(session.space)
        }
        sessions.append(session)
    }
}
