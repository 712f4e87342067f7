import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// What in a Digest answer does not fit its challenge or its request: faults that explain a refusal better than a wrong
/// password does.
///
/// - Source: RFC 7616 §3.3 and §3.4.
struct DigestFaults {
    /// Each fault in a few words.
    private(set) var list: [String] = []

    init(of exchange: AuthenticationExchange, in chain: Chain) {
        guard case .digest(let answer) = exchange.lastLeg.credentials.content else { return }
        let transaction = exchange.lastLeg.transaction
        checkTarget(answer, transaction)
        checkNames(answer)
        if let challenge = DigestFaults.challenge(before: transaction, in: chain) { check(answer, against: challenge) }
        if DigestFaults.lacksCookie(transaction, in: chain) { list.append("a cookie of the challenge is not returned") }
        if answer.nc == "00000000" { list.append("nc starts at 00000000") }
        if DigestFaults.repeatsCount(answer, before: transaction, in: chain) {
            list.append("nc was used before with this nonce")
        }
    }

    private mutating func checkTarget(_ answer: DigestCredentials, _ transaction: Transaction) {
        guard let uri = answer.uri, let target = transaction.request?.target else { return }
        if uri != target, transaction.url != uri { list.append("uri is not the request target") }
    }

    /// Whether an earlier request of the chain brought the same nonce with the same count (RFC 7616 §3.4, nc).
    private static func repeatsCount(_ answer: DigestCredentials, before transaction: Transaction, in chain: Chain)
        -> Bool
    {
        guard let count = answer.nc else { return false }
        return chain.exchanges.contains { exchange in
            guard exchange.lastLeg.transaction.packet < transaction.packet,
                case .digest(let earlier) = exchange.lastLeg.credentials.content
            else { return false }
            return earlier.nonce == answer.nonce && earlier.nc == count
        }
    }

    private mutating func checkNames(_ answer: DigestCredentials) {
        guard let user = answer.username else { return }
        if user.contains("\\") || answer.realm.map({ user.hasPrefix($0 + "\\") || user.hasSuffix("@" + $0) }) == true {
            list.append("the user name has a domain before it")
        }
    }

    private mutating func check(_ answer: DigestCredentials, against challenge: Challenge) {
        guard case .digest = challenge.content else { return }
        let offered = { (name: String) in challenge.parameters[name] }
        if let realm = offered("realm"), answer.realm != realm { list.append("realm is not that of the challenge") }
        if let nonce = offered("nonce"), answer.nonce != nonce { list.append("nonce is not that of the challenge") }
        if let opaque = offered("opaque"), answer.opaque != opaque {
            list.append("opaque is not that of the challenge")
        }
        if offered("qop") != nil, answer.qop == nil { list.append("qop is left out although it was offered") }
    }

    /// The latest Digest challenge that the client had seen when it sent the request.
    private static func challenge(before transaction: Transaction, in chain: Chain) -> Challenge? {
        let earlier = chain.entries.last {
            $0.transaction.status == chain.target.refusalStatus
                && ($0.transaction.responsePacket ?? .max) < transaction.packet
        }
        return earlier?.transaction.fields(for: chain.target).challenges.first { $0.scheme.kind == .digest }
    }

    /// Whether the challenge set a cookie that the answer does not bring: some servers keep the nonce in it.
    private static func lacksCookie(_ transaction: Transaction, in chain: Chain) -> Bool {
        guard
            let challenge = chain.entries.last(where: {
                $0.transaction.status == chain.target.refusalStatus
                    && ($0.transaction.responsePacket ?? .max) < transaction.packet
            })?.transaction, challenge.response?.fields.contains(.setCookie) == true
        else { return false }
        return transaction.request?.fields.contains(.cookie) == false
    }
}
