import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// The faults that can be seen in the Digest answers of a chain: each explains a refusal better than a wrong password does.
///
/// The answers are gone through in the order in which they were sent, each against what the client could have seen by
/// then: a challenge whose response came later does not count.
struct DigestFaults: Sendable {
    /// The faults of each exchange, in order; none at all where no Digest answer was refused.
    private var faults: [DigestFault] = []
    private var overtakers: [Int: Transaction] = [:]

    /// Whether an answer that was refused has a fault.
    private(set) var hasRefusedFault = false

    /// No faults.
    init() {}

    /// Examines every Digest exchange of a client in a protection space.
    init(in session: ClientSession) {
        var examiner = DigestExaminer(session)
        faults = [DigestFault](repeating: [], count: session.exchanges.count)
        for answer in examiner.answers {
            let found = examiner.examine(answer)
            faults[answer.index] = found
            if found.contains(.countOrder) { overtakers[answer.index] = examiner.overtaker(of: answer) }
            if !found.isEmpty, answer.exchange.outcome == .rejected { hasRefusedFault = true }
            examiner.remember(answer)
        }
    }

    /// The faults of an exchange, by its index in the chain; empty where nothing is to be seen.
    subscript(exchange: Int) -> DigestFault { faults.isEmpty ? [] : faults[exchange] }

    /// The earlier request whose nc was higher, for an exchange with `countOrder`; `nil` for any other.
    func overtaker(of exchange: Int) -> Transaction? { overtakers[exchange] }
}

/// A Digest answer, and what is asked of it again and again.
private struct DigestAnswer {
    /// The index of its exchange in the chain.
    let index: Int
    let exchange: AuthenticationExchange
    let transaction: Transaction
    let credentials: DigestCredentials
    /// Its nonce count as a number; `nil` where it is missing or not hexadecimal.
    let count: UInt32?
    /// The place of its nonce's history; `nil` where it has no nonce.
    let place: Int?
}

/// What was seen of one nonce so far.
private struct NonceHistory {
    /// The lowest count of all answers, also of those to come.
    var lowestCount: UInt32?
    /// The answer with the highest count.
    var highest: (count: UInt32, transaction: Transaction)?
    /// The counts that were answered.
    var answeredCounts: Set<UInt32> = []
    /// Whether a challenge or an Authentication-Info offered it.
    var isOffered = false
    /// Whether an Authentication-Info offered it.
    var isNext = false
    /// Whether an answer with it was accepted.
    var isAccepted = false
    /// The response that offered another nonce in its place.
    var replacement: Transaction?
}

/// Goes through the answers of a chain in the order in which they were sent.
private struct DigestExaminer {
    /// The answers in order.
    private(set) var answers: [DigestAnswer] = []

    private let target: AuthenticationTarget
    /// The responses with challenges that are still to come, by packet.
    private var challenges: ArraySlice<Transaction>
    private var newest: (challenges: [Challenge], transaction: Transaction, cookies: [CapturedCookie])?
    /// The histories of the nonces that were answered, and the place of each.
    private var histories: [NonceHistory] = []
    private var places: [String: Int] = [:]

    init(_ session: ClientSession) {
        target = session.target
        challenges =
            session.entries.map(\.transaction)
            .filter { $0.fields(for: session.target).challenges.contains { $0.scheme.kind == .digest } }
            .sorted { ($0.responsePacket ?? 0) < ($1.responsePacket ?? 0) }[...]
        for (index, exchange) in session.exchanges.enumerated() where exchange.scheme.kind == .digest {
            let leg = exchange.lastLeg
            guard let credentials = leg.credentials.digest else { continue }
            let (count, place) = (credentials.nonceCount, place(of: credentials.nonce))
            if let place, let count { histories[place].lowestCount = min(histories[place].lowestCount ?? .max, count) }
            answers.append(
                DigestAnswer(
                    index: index,
                    exchange: exchange,
                    transaction: leg.transaction,
                    credentials: credentials,
                    count: count,
                    place: place
                )
            )
        }
    }

    /// The place of a nonce's history, which begins here where there is none.
    private mutating func place(of nonce: String?) -> Int? {
        guard let nonce else { return nil }
        if let place = places[nonce] { return place }
        places[nonce] = histories.count
        histories.append(NonceHistory())
        return histories.count - 1
    }

    /// The faults of an answer; what comes before it must be remembered.
    mutating func examine(_ answer: DigestAnswer) -> DigestFault {
        advance(to: answer.transaction)
        var found = uriFault(answer.credentials.uri, of: answer.transaction)
        if hasGluedName(answer.credentials) { found.insert(.domainPrefix) }
        if isMisescaped(answer.credentials) { found.insert(.escaping) }
        if answer.credentials.isMisquoted { found.insert(.quoting) }
        found.formUnion(countFault(answer))
        if let place = answer.place, histories[place].isAccepted { found.insert(.usedNonce) }
        guard let newest else { return found.union(.noChallenge) }
        found.formUnion(compare(answer, with: newest.challenges))
        if lacksCookie(answer.transaction, among: newest.cookies) { found.insert(.cookie) }
        return found
    }

    /// The request with the highest count so far of an answer's nonce.
    func overtaker(of answer: DigestAnswer) -> Transaction? {
        answer.place.flatMap { histories[$0].highest?.transaction }
    }

    /// Takes in the challenges that the client could have seen when it sent a request.
    private mutating func advance(to transaction: Transaction) {
        var last: (challenges: [Challenge], transaction: Transaction)?
        while let next = challenges.first, next.responsePacket ?? .max < transaction.packet {
            let offers = next.fields(for: target).challenges.filter { $0.scheme.kind == .digest }
            for offer in offers {
                guard let nonce = offer.parameters["nonce"], let place = places[nonce] else { continue }
                histories[place].isOffered = true
            }
            last = (offers, next)
            challenges.removeFirst()
        }
        guard let last else { return }
        newest = (last.challenges, last.transaction, last.transaction.setCookies)
    }

    /// Takes in an answer and its fate.
    mutating func remember(_ answer: DigestAnswer) {
        guard let place = answer.place else { return }
        if let count = answer.count {
            if count >= histories[place].highest?.count ?? 0 { histories[place].highest = (count, answer.transaction) }
            // A request without an answer may be repeated as it is, on another connection.
            if answer.transaction.status != nil { histories[place].answeredCounts.insert(count) }
        }
        guard answer.exchange.outcome == .accepted else {
            if isRenewed(answer) { histories[place].replacement = answer.transaction }
            return
        }
        histories[place].isAccepted = true
        let name: FieldName = target == .origin ? .authenticationInfo : .proxyAuthenticationInfo
        for field in answer.transaction.response?.fields.values(of: name) ?? [] {
            // RFC 7616 §3.5: the nonce the server wishes the client to use for a future authentication response.
            guard let next = ChallengeParser.parseAuthenticationInfo(field).nextNonce, let place = places[next] else {
                continue
            }
            histories[place].isNext = true
            histories[place].isOffered = true
        }
    }

    /// Whether the refusal of an answer offers other nonces alone.
    private func isRenewed(_ answer: DigestAnswer) -> Bool {
        let offered = answer.transaction.fields(for: target).challenges.filter { $0.scheme.kind == .digest }
        return !offered.isEmpty && !offered.contains { $0.parameters["nonce"] == answer.credentials.nonce }
    }

    /// What is wrong with a `uri` that is neither the request target nor, for a target in absolute-form, its path and
    /// query.
    private func uriFault(_ uri: String?, of transaction: Transaction) -> DigestFault {
        guard let uri, let target = transaction.request?.target else { return .uri }
        if uri == target { return [] }
        guard let separator = target.firstRange(of: "://") else {
            let isAbsolute = ["http://", "https://"].contains { uri.lowercased().hasPrefix($0) }
            return isAbsolute && target.hasPrefix("/") ? .absoluteURI : .uri
        }
        let path = target[separator.upperBound...].drop { $0 != "/" }
        return uri == (path.isEmpty ? "/" : path) ? [] : .uri
    }

    private func hasGluedName(_ answer: DigestCredentials) -> Bool {
        guard let user = answer.user?.utf8 else { return false }
        if user.contains(UInt8(ascii: "\\")) { return true }
        guard let realm = answer.realm?.utf8, !realm.isEmpty, user.count > realm.count else { return false }
        let before = user.starts(with: realm) && user.dropFirst(realm.count).first == UInt8(ascii: "/")
        let rest = user.dropFirst(user.count - realm.count - 1)
        return before || (rest.first == UInt8(ascii: "@") && rest.dropFirst().elementsEqual(realm))
    }

    /// Whether user name or realm hold a quoted-pair that nobody would write on purpose, or never end.
    ///
    /// - Source: RFC 9110 §5.6.4 (a sender should escape DQUOTE and backslash alone).
    private func isMisescaped(_ credentials: DigestCredentials) -> Bool {
        credentials.parametersWithQuotes.contains(where: isMisescaped)
    }

    private func isMisescaped(_ parameter: AuthParameter) -> Bool {
        guard ["username", "realm"].contains(parameter.name.lowercased()) else { return false }
        if parameter.value.contains("\", ") { return true }
        var inside = parameter.escapedValue?[...] ?? ""
        while let backslash = inside.firstIndex(of: "\\") {
            inside = inside[inside.index(after: backslash)...]
            guard let escaped = inside.popFirst() else { return true }
            if escaped != "\\", escaped != "\"" { return true }
        }
        return false
    }

    /// What is wrong with an nc that is not eight digits, does not start at 1 with its nonce, or does not rise from
    /// answer to answer.
    private func countFault(_ answer: DigestAnswer) -> DigestFault {
        let credentials = answer.credentials
        guard credentials.qop != nil || credentials.nc != nil else { return [] }
        guard let nc = credentials.nc, credentials.cnonce != nil else { return .qopMissing }
        guard nc.utf8.count == 8, let count = answer.count else { return .countForm }
        guard let place = answer.place else { return [] }
        if histories[place].answeredCounts.contains(count) { return .countReused }
        if let highest = histories[place].highest { return count < highest.count ? .countOrder : [] }
        // Where the nonce was not offered in the capture, its first answers may lie before it. Where a lower count comes
        // later, the requests were overtaking each other.
        return histories[place].isOffered && histories[place].lowestCount != 1 ? .countStart : []
    }

    private func compare(_ answer: DigestAnswer, with offered: [Challenge]) -> DigestFault {
        if let place = answer.place, histories[place].isNext { return [] }
        let credentials = answer.credentials
        let offers = offered.compactMap { challenge -> DigestChallenge? in
            guard case .digest(let offer) = challenge.content, offer.nonce == credentials.nonce else { return nil }
            return offer
        }
        guard let offer = offers.first(where: { isSameAlgorithm($0, credentials) }) ?? offers.first else {
            return isIgnoring(answer) ? .ignoredNonce : .nonce
        }
        var found = qopFault(credentials.qop, offered: offer.qop)
        if credentials.realm != offer.realm { found.insert(.realm) }
        if credentials.opaque != offer.opaque { found.insert(.opaque) }
        if !isSameAlgorithm(offer, credentials) { found.insert(.algorithm) }
        return found
    }

    private func qopFault(_ qop: String?, offered: [String]) -> DigestFault {
        guard let qop else { return offered.isEmpty ? [] : .qopMissing }
        if qop.contains(",") { return .qopList }
        return offered.contains { $0.lowercased() == qop.lowercased() } ? [] : .qop
    }

    /// Whether the client knew when it sent the request that its nonce is not accepted any more.
    private func isIgnoring(_ answer: DigestAnswer) -> Bool {
        let transaction = answer.transaction
        guard let place = answer.place, let refusal = histories[place].replacement,
            refusal.responsePacket ?? .max < transaction.packet
        else { return false }
        // Requests on other connections may have been under way when the refusal came.
        return refusal.connection == transaction.connection || refusal.request?.target == transaction.request?.target
            || transaction.startTime.seconds(since: refusal.endTime) >= 1
    }

    /// Whether both name the same algorithm, and the response is as long as its hash.
    private func isSameAlgorithm(_ offer: DigestChallenge, _ answer: DigestCredentials) -> Bool {
        let algorithm = offer.effectiveAlgorithm
        guard algorithm.rawValue.lowercased() == answer.effectiveAlgorithm.rawValue.lowercased() else { return false }
        guard let hash = algorithm.hash, let length = answer.response?.byteCount else { return true }
        // Another length than those of a hash is a broken response, not one of another algorithm.
        return length != (hash == .md5 ? 64 : 32)
    }

    /// Whether the challenge set a cookie that the answer must bring and does not: some servers keep the nonce in it.
    private func lacksCookie(_ transaction: Transaction, among cookies: [CapturedCookie]) -> Bool {
        guard !cookies.isEmpty else { return false }
        let names = Set(transaction.cookieNames)
        return cookies.contains { cookie in
            !cookie.isForeign && !cookie.isDeletion && !names.contains(cookie.name)
                && cookie.belongs(toPath: transaction.path, isSecureRequest: transaction.isSecure)
        }
    }
}
