import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// The faults that can be seen in the Digest answers of a chain: each explains a refusal better than a wrong password does.
///
/// The answers are gone through in the order in which they were sent, each against what the client could have seen by
/// then: a challenge whose response came later does not count.
struct DigestFaults: Sendable {
    private var faults: [Int: Set<DigestFault>] = [:]
    private var overtakers: [Int: Transaction] = [:]
    private var challenges: ArraySlice<Transaction> = []
    private var newest: (challenges: [Challenge], transaction: Transaction)?
    /// Every nonce that a challenge or an Authentication-Info offered so far.
    private var offeredNonces: Set<String> = []
    private var nextNonces: Set<String> = []
    private var acceptedNonces: Set<String> = []
    /// The response that offered another nonce in the place of each.
    private var replacements: [String: Transaction] = [:]
    /// The answer with the highest count so far, the lowest count of all, and the counts that were answered, by nonce.
    private var highestCount: [String: (count: UInt32, transaction: Transaction)] = [:]
    private var lowestCount: [String: UInt32] = [:]
    private var answeredCounts: [String: Set<UInt32>] = [:]

    /// No faults.
    init() {}

    /// Examines every Digest exchange of a client in a protection space.
    init(in session: ClientSession) {
        challenges =
            session.entries.map(\.transaction)
            .filter { $0.fields(for: session.target).challenges.contains { $0.scheme.kind == .digest } }
            .sorted { ($0.responsePacket ?? 0) < ($1.responsePacket ?? 0) }[...]
        for exchange in session.exchanges {
            guard let answer = exchange.lastLeg.credentials.digest, let nonce = answer.nonce,
                let count = answer.nonceCount
            else { continue }
            lowestCount[nonce] = min(lowestCount[nonce] ?? .max, count)
        }
        for (index, exchange) in session.exchanges.enumerated() {
            guard let answer = exchange.lastLeg.credentials.digest else { continue }
            advance(to: exchange.lastLeg.transaction, target: session.target)
            faults[index] = examine(answer, of: exchange)
            if let nonce = answer.nonce { overtakers[index] = highestCount[nonce]?.transaction }
            remember(answer, exchange)
        }
    }

    /// The faults of an exchange, by its index in the chain; empty where nothing is to be seen.
    subscript(exchange: Int) -> Set<DigestFault> { faults[exchange] ?? [] }

    /// The earlier request whose nc was higher, for an exchange with `countOrder`; `nil` for any other.
    func overtaker(of exchange: Int) -> Transaction? {
        self[exchange].contains(.countOrder) ? overtakers[exchange] : nil
    }

    private mutating func advance(to transaction: Transaction, target: AuthenticationTarget) {
        while let next = challenges.first, next.responsePacket ?? .max < transaction.packet {
            let offers = next.fields(for: target).challenges.filter { $0.scheme.kind == .digest }
            newest = (offers, next)
            offeredNonces.formUnion(offers.compactMap { $0.parameters["nonce"] })
            challenges.removeFirst()
        }
    }

    private mutating func remember(_ answer: DigestCredentials, _ exchange: AuthenticationExchange) {
        guard let nonce = answer.nonce else { return }
        let transaction = exchange.lastLeg.transaction
        if let count = answer.nonceCount {
            if count >= highestCount[nonce]?.count ?? 0 { highestCount[nonce] = (count, transaction) }
            // A request without an answer may be repeated as it is, on another connection.
            if transaction.response != nil { answeredCounts[nonce, default: []].insert(count) }
        }
        guard exchange.outcome == .accepted else { return remember(refusalOf: nonce, exchange) }
        acceptedNonces.insert(nonce)
        let name: FieldName = exchange.target == .origin ? .authenticationInfo : .proxyAuthenticationInfo
        for field in transaction.response?.fields.values(of: name) ?? [] {
            // RFC 7616 §3.5: the nonce the server wishes the client to use for a future authentication response.
            guard let next = ChallengeParser.parseAuthenticationInfo(field).nextNonce else { continue }
            nextNonces.insert(next)
            offeredNonces.insert(next)
        }
    }

    private mutating func remember(refusalOf nonce: String, _ exchange: AuthenticationExchange) {
        let transaction = exchange.lastLeg.transaction
        let offered = transaction.fields(for: exchange.target).challenges.filter { $0.scheme.kind == .digest }
        guard !offered.isEmpty, !offered.contains(where: { $0.parameters["nonce"] == nonce }) else { return }
        replacements[nonce] = transaction
    }

    private func examine(_ answer: DigestCredentials, of exchange: AuthenticationExchange) -> Set<DigestFault> {
        let transaction = exchange.lastLeg.transaction
        var found: Set<DigestFault> = []
        if let fault = uriFault(answer.uri, of: transaction) { found.insert(fault) }
        if hasGluedName(answer) { found.insert(.domainPrefix) }
        if isMisescaped(exchange.lastLeg.credentials) { found.insert(.escaping) }
        if isMisquoted(answer) { found.insert(.quoting) }
        if let fault = countFault(answer) { found.insert(fault) }
        if let nonce = answer.nonce, acceptedNonces.contains(nonce) { found.insert(.usedNonce) }
        guard let newest else { return found.union([.noChallenge]) }
        found.formUnion(compare(answer, of: transaction, with: newest.challenges))
        if lacksCookie(transaction, of: newest.transaction) { found.insert(.cookie) }
        return found
    }

    /// What is wrong with a `uri` that is neither the request target nor, for a target in absolute-form, its path and
    /// query.
    private func uriFault(_ uri: String?, of transaction: Transaction) -> DigestFault? {
        guard let uri, let target = transaction.request?.target else { return .uri }
        if uri == target { return nil }
        guard let separator = target.firstRange(of: "://") else {
            let isAbsolute = ["http://", "https://"].contains { uri.lowercased().hasPrefix($0) }
            return isAbsolute && target.hasPrefix("/") ? .absoluteURI : .uri
        }
        let path = target[separator.upperBound...].drop { $0 != "/" }
        return uri == (path.isEmpty ? "/" : path) ? nil : .uri
    }

    private func hasGluedName(_ answer: DigestCredentials) -> Bool {
        guard let user = answer.user else { return false }
        guard let realm = answer.realm, !realm.isEmpty else { return user.contains("\\") }
        return user.contains("\\") || user.hasPrefix(realm + "/") || user.hasSuffix("@" + realm)
    }

    /// Whether user name or realm hold a quoted-pair that nobody would write on purpose, or never end.
    ///
    /// - Source: RFC 9110 §5.6.4 (a sender should escape DQUOTE and backslash alone).
    private func isMisescaped(_ credentials: Credentials) -> Bool {
        let suspects = credentials.parameters.filter { parameter in
            parameter.escapedValue != nil || parameter.value.utf8.contains(UInt8(ascii: "\""))
        }
        return suspects.contains { parameter in
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
    }

    private func isMisquoted(_ answer: DigestCredentials) -> Bool {
        // RFC 7616 §3.4: algorithm, qop and nc MUST NOT be quoted, these others MUST be.
        ["algorithm", "qop", "nc"].contains { answer.isQuoted($0) == true }
            || ["username", "realm", "nonce", "uri", "response", "cnonce", "opaque"].contains {
                answer.isQuoted($0) == false
            }
    }

    /// What is wrong with an nc that is not eight digits, does not start at 1 with its nonce, or does not rise from
    /// answer to answer.
    private func countFault(_ answer: DigestCredentials) -> DigestFault? {
        guard answer.qop != nil || answer.nc != nil else { return nil }
        guard let nc = answer.nc, answer.cnonce != nil else { return .qopMissing }
        guard nc.utf8.count == 8, let count = answer.nonceCount else { return .countForm }
        guard let nonce = answer.nonce else { return nil }
        if answeredCounts[nonce]?.contains(count) == true { return .countReused }
        if let highest = highestCount[nonce] { return count < highest.count ? .countOrder : nil }
        // Where the nonce was not offered in the capture, its first answers may lie before it. Where a lower count comes
        // later, the requests were overtaking each other.
        return offeredNonces.contains(nonce) && lowestCount[nonce] != 1 ? .countStart : nil
    }

    private func compare(
        _ answer: DigestCredentials,
        of transaction: Transaction,
        with offered: [Challenge]
    ) -> Set<DigestFault> {
        let offers = offered.compactMap { challenge in
            if case .digest(let content) = challenge.content { content } else { nil }
        }
        if let nonce = answer.nonce, nextNonces.contains(nonce) { return [] }
        guard
            let offer = offers.first(where: { $0.nonce == answer.nonce && isSameAlgorithm($0, answer) })
                ?? offers.first(where: { $0.nonce == answer.nonce })
        else { return [isIgnoring(answer, in: transaction) ? .ignoredNonce : .nonce] }
        var found: Set<DigestFault> = []
        if answer.realm != offer.realm { found.insert(.realm) }
        if answer.opaque != offer.opaque { found.insert(.opaque) }
        if !isSameAlgorithm(offer, answer) { found.insert(.algorithm) }
        if let fault = qopFault(answer.qop, offered: offer.qop) { found.insert(fault) }
        return found
    }

    private func qopFault(_ qop: String?, offered: [String]) -> DigestFault? {
        guard let qop else { return offered.isEmpty ? nil : .qopMissing }
        if qop.contains(",") { return .qopList }
        return offered.contains { $0.lowercased() == qop.lowercased() } ? nil : .qop
    }

    /// Whether the client knew when it sent the request that its nonce is not accepted any more.
    private func isIgnoring(_ answer: DigestCredentials, in transaction: Transaction) -> Bool {
        guard let nonce = answer.nonce, let refusal = replacements[nonce],
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
    private func lacksCookie(_ transaction: Transaction, of challenge: Transaction) -> Bool {
        let names = Set(transaction.cookieNames)
        return challenge.setCookies.contains { cookie in
            !cookie.isForeign && !cookie.isDeletion && !names.contains(cookie.name)
                && cookie.belongs(toPath: transaction.path, isSecureRequest: transaction.isSecure)
        }
    }
}
