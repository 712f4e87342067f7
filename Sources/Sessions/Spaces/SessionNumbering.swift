import AuthScanBytes
import AuthScanWire

/// Numbers spaces, exchanges and sessions in the order in which they begin.
struct SessionNumbering {
    private struct SpaceKey: Hashable {
        let server: Int32
        let realm: String?
        let isProxy: Bool
    }

    /// In the order in which they begin.
    private let drafts: [SessionDraft]
    private let origins: [Origin]
    private var spaces: [ProtectionSpace] = []
    /// The index in `spaces` of each draft's.
    private var spaceIndices: [Int] = []

    init(_ unordered: consuming [SessionDraft], _ origins: [Origin]) {
        // What a draft begins with and where it stands in one integer sort much faster than a pair.
        var order = unordered.indices.map { UInt64(unordered[$0].firstPacket) << 32 | UInt64($0) }
        order.sort()
        var drafts = order.map { [unordered] in unordered[Int($0 & 0xFFFF_FFFF)] }
        // The numbers are written into arrays that nobody else may hold then.
        unordered = []
        SessionNumbering.numberExchanges(of: &drafts)
        self.drafts = drafts
        self.origins = origins
        numberSpaces()
    }

    /// Gives each exchange its number: by their first transactions over all sessions.
    private static func numberExchanges(of drafts: inout [SessionDraft]) {
        // By the number of a transaction: how many exchanges begin with it, then the number of the next one that does.
        var numbers: [Int32] = []
        for draft in drafts {
            for index in draft.exchanges.indices {
                let transaction = Int(draft.exchanges[index].firstTransaction)
                if numbers.count <= transaction {
                    numbers += repeatElement(0, count: transaction + 1 - numbers.count)
                }
                numbers[transaction] += 1
            }
        }
        var next: Int32 = 1
        for transaction in numbers.indices {
            let count = numbers[transaction]
            numbers[transaction] = next
            next += count
        }
        for index in drafts.indices { drafts[index].numberExchanges(&numbers) }
    }

    /// Lists the protection spaces; one that several sessions have has the schemes of all.
    private mutating func numberSpaces() {
        var indices: [SpaceKey: Int] = [:]
        spaceIndices.reserveCapacity(drafts.count)
        for draft in drafts {
            let key = SpaceKey(server: draft.group.server, realm: draft.realm, isProxy: draft.target == .proxy)
            let index = indices[key] ?? spaces.count
            spaceIndices.append(index)
            if index == spaces.count {
                indices[key] = index
                spaces.append(space(of: draft, number: index + 1))
                continue
            }
            for scheme in draft.schemes where !spaces[index].schemes.contains(scheme) {
                spaces[index].schemes.append(scheme)
            }
        }
    }

    private func space(of draft: SessionDraft, number: Int) -> ProtectionSpace {
        ProtectionSpace(
            number: number,
            origin: origins[Int(draft.group.server)],
            realm: draft.realm,
            isProxy: draft.target == .proxy,
            schemes: draft.schemes
        )
    }

    /// The sessions in order, and what they consist of; `tls` has the capture's TLS connections.
    ///
    /// What was asked of key distribution centers goes to the sessions that it bears on, and makes sessions of its own otherwise.
    func sessions(_ kdcExchanges: [KDCExchange], tls: [TLSConnection], _ workers: Workers) -> Sessions {
        var result = Sessions()
        result.spaces = spaces
        result.kdcExchanges = kdcExchanges
        var ties = KDCTies(kdcExchanges)
        let tied = kdcExchanges.isEmpty ? [] : drafts.map { ties.claim(for: $0, at: origins[Int($0.group.server)]) }
        let groups = ties.unclaimed()
        let numbers = sessionNumbers(groups)
        let parts = workers.map(drafts.count) { range in
            range.map { session($0, number: numbers.isEmpty ? $0 + 1 : numbers[$0], tied.isEmpty ? [] : tied[$0], tls) }
        }
        result.sessions.reserveCapacity(drafts.count + groups.count)
        for part in parts { result.sessions += part }
        result.exchanges = SessionNumbering.exchanges(of: result.sessions)
        result.add(groups)
        return result
    }

    /// The numbers of the drafts' sessions, where other ones begin between them; empty where there are none.
    private func sessionNumbers(_ groups: [KDCGroup]) -> [Int] {
        guard !groups.isEmpty else { return [] }
        var before = 0
        return drafts.indices.map { index in
            while before < groups.count, groups[before].firstPacket < drafts[index].firstPacket { before += 1 }
            return index + 1 + before
        }
    }

    private func session(
        _ index: Int,
        number: Int,
        _ kdcExchanges: [KDCExchange],
        _ tls: [TLSConnection]
    ) -> ClientSession {
        let space = space(of: drafts[index], number: spaceIndices[index] + 1)
        let client = drafts[index].group.client
        return ClientSession(
            drafts[index],
            number: number,
            space: space,
            exchanges: drafts[index].exchanges.map {
                AuthenticationExchange($0, of: client, space: space.number, tls: tls)
            },
            kdcExchanges: kdcExchanges
        )
    }

    /// The exchanges of all sessions by their numbers.
    private static func exchanges(of sessions: [ClientSession]) -> [AuthenticationExchange] {
        let count = sessions.reduce(0) { $0 + $1.exchanges.count }
        var places = [(session: Int32, exchange: Int32)](repeating: (0, 0), count: count)
        for (session, value) in sessions.enumerated() {
            for (exchange, value) in value.exchanges.enumerated() {
                places[value.number - 1] = (Int32(session), Int32(exchange))
            }
        }
        return places.map { sessions[Int($0.session)].exchanges[Int($0.exchange)] }
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
