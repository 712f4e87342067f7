import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// Something in a Digest answer that does not fit its challenge, its request, or the answers before it.
///
/// - Source: RFC 7616 §3.3 and §3.4.
enum DigestFault: String, Hashable, Sendable {
    case noChallenge = "no challenge for it was captured"
    case uri = "uri is not the request target"
    case username = "the user name has a domain glued on, or a backslash"
    case realm = "realm is not that of the challenge"
    case nonce = "nonce is not that of the newest challenge"
    case usedNonce = "nonce was accepted before and is refused now"
    case nonceCount = "nc does not count from 00000001"
    case qop = "qop is not one of those offered"
    case algorithm = "algorithm is not one of those offered"
    case opaque = "opaque is not that of the challenge"
    case quoting = "a parameter is quoted, or not quoted, against its grammar"
    case cookie = "a cookie that came with the challenge is not returned"
}

/// The faults that can be seen in the Digest answers of a chain: each explains a refusal better than a wrong password does.
///
/// The answers are gone through in the order in which they were sent, each against what the client could have seen by
/// then: a challenge whose response came later does not count.
struct DigestFaults: Sendable {
    private var faults: [Int: Set<DigestFault>] = [:]
    private var challenges: ArraySlice<Transaction> = []
    private var newest: (challenges: [Challenge], transaction: Transaction)?
    private var nextNonces: Set<String> = []
    private var highestCount: [String: UInt32] = [:]
    private var acceptedNonces: Set<String> = []

    /// No faults.
    init() {}

    /// Examines every Digest exchange of a client in a protection space.
    init(in session: ClientSession) {
        challenges =
            session.entries.map(\.transaction)
            .filter { $0.fields(for: session.target).challenges.contains { $0.scheme.kind == .digest } }
            .sorted { ($0.responsePacket ?? 0) < ($1.responsePacket ?? 0) }[...]
        for (index, exchange) in session.exchanges.enumerated() {
            guard let answer = exchange.lastLeg.credentials.digest else { continue }
            let transaction = exchange.lastLeg.transaction
            advance(to: transaction, target: session.target)
            faults[index] = examine(answer, of: transaction)
            remember(answer, exchange)
        }
    }

    /// The faults of an exchange, by its index in the chain; empty where nothing is to be seen.
    subscript(exchange: Int) -> Set<DigestFault> { faults[exchange] ?? [] }

    private mutating func advance(to transaction: Transaction, target: AuthenticationTarget) {
        while let next = challenges.first, next.responsePacket ?? .max < transaction.packet {
            newest = (next.fields(for: target).challenges.filter { $0.scheme.kind == .digest }, next)
            challenges.removeFirst()
        }
    }

    private mutating func remember(_ answer: DigestCredentials, _ exchange: AuthenticationExchange) {
        guard let nonce = answer.nonce else { return }
        highestCount[nonce] = max(highestCount[nonce] ?? 0, answer.nonceCount ?? 0)
        guard exchange.outcome == .accepted else { return }
        acceptedNonces.insert(nonce)
        let name: FieldName = exchange.target == .origin ? .authenticationInfo : .proxyAuthenticationInfo
        for field in exchange.lastLeg.transaction.response?.fields.values(of: name) ?? [] {
            // RFC 7616 §3.5: the nonce the server wishes the client to use for a future authentication response.
            if let next = ChallengeParser.parseAuthenticationInfo(field).nextNonce { nextNonces.insert(next) }
        }
    }

    private func examine(_ answer: DigestCredentials, of transaction: Transaction) -> Set<DigestFault> {
        var found: Set<DigestFault> = []
        if !isTarget(answer.uri, of: transaction) { found.insert(.uri) }
        if hasGluedName(answer) { found.insert(.username) }
        if isMisquoted(answer) { found.insert(.quoting) }
        if !isCounting(answer) { found.insert(.nonceCount) }
        if let nonce = answer.nonce, acceptedNonces.contains(nonce) { found.insert(.usedNonce) }
        guard let newest else { return found.union([.noChallenge]) }
        found.formUnion(compare(answer, with: newest.challenges))
        if lacksCookie(transaction, of: newest.transaction) { found.insert(.cookie) }
        return found
    }

    /// Whether `uri` is the request target, or for a target in absolute-form its path and query.
    private func isTarget(_ uri: String?, of transaction: Transaction) -> Bool {
        guard let uri, let target = transaction.request?.target else { return false }
        if uri == target { return true }
        guard let separator = target.firstRange(of: "://") else { return false }
        let path = target[separator.upperBound...].drop { $0 != "/" }
        return uri == (path.isEmpty ? "/" : path)
    }

    private func hasGluedName(_ answer: DigestCredentials) -> Bool {
        guard let user = answer.user else { return false }
        guard let realm = answer.realm, !realm.isEmpty else { return user.contains("\\") }
        return user.contains("\\") || user.hasPrefix(realm + "/") || user.hasSuffix("@" + realm)
    }

    private func isMisquoted(_ answer: DigestCredentials) -> Bool {
        // RFC 7616 §3.4: algorithm, qop and nc MUST NOT be quoted, these others MUST be.
        ["algorithm", "qop", "nc"].contains { answer.isQuoted($0) == true }
            || ["username", "realm", "nonce", "uri", "response", "cnonce", "opaque"].contains {
                answer.isQuoted($0) == false
            }
    }

    /// Whether nc is eight digits, starts at 1 with a nonce, and rises from answer to answer.
    private func isCounting(_ answer: DigestCredentials) -> Bool {
        guard answer.qop != nil || answer.nc != nil else { return true }
        guard let nc = answer.nc, nc.utf8.count == 8, let count = answer.nonceCount, answer.cnonce != nil else {
            return false
        }
        guard let highest = answer.nonce.flatMap({ highestCount[$0] }) else { return count == 1 }
        return count > highest
    }

    private func compare(_ answer: DigestCredentials, with offered: [Challenge]) -> Set<DigestFault> {
        let offers = offered.compactMap { challenge in
            if case .digest(let content) = challenge.content { content } else { nil }
        }
        if let nonce = answer.nonce, nextNonces.contains(nonce) { return [] }
        guard
            let offer = offers.first(where: { $0.nonce == answer.nonce && isSameAlgorithm($0, answer) })
                ?? offers.first(where: { $0.nonce == answer.nonce })
        else { return [.nonce] }
        var found: Set<DigestFault> = []
        if answer.realm != offer.realm { found.insert(.realm) }
        if answer.opaque != offer.opaque { found.insert(.opaque) }
        if !isSameAlgorithm(offer, answer) { found.insert(.algorithm) }
        let isOffered = answer.qop.map { qop in offer.qop.contains { $0.lowercased() == qop.lowercased() } }
        if !(isOffered ?? offer.qop.isEmpty) { found.insert(.qop) }
        return found
    }

    private func isSameAlgorithm(_ offer: DigestChallenge, _ answer: DigestCredentials) -> Bool {
        offer.effectiveAlgorithm.rawValue.lowercased() == answer.effectiveAlgorithm.rawValue.lowercased()
    }

    /// Whether the challenge set a cookie that the answer must bring and does not: some servers keep the nonce in it.
    private func lacksCookie(_ transaction: Transaction, of challenge: Transaction) -> Bool {
        let names = Set(transaction.cookieNames)
        return challenge.setCookies.contains { cookie in
            !cookie.isForeign && !cookie.isDeletion && !names.contains(cookie.name)
                && cookie.belongs(toPath: transaction.path, isSecureRequest: transaction.http.isSecure)
        }
    }
}
