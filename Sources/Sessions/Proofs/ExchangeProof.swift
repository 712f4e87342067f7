/// What the known secrets say about one try to authenticate.
public struct ExchangeProof: Sendable {
    /// All in a few words.
    public enum Conclusion: String, Sendable {
        /// The secret is right, and the server let the client in.
        case rightAndAccepted = "the password is right, and was accepted"
        /// The secret is right, and the server refused all the same: the fault lies elsewhere.
        case rightAndRefused = "the password is right, and was refused all the same"
        /// The secret is right, and the exchange came to no end.
        case rightWithoutEnd = "the password is right; the capture shows no answer to it"
        /// The secret is right for other names than those the proof was meant for.
        case rightForOtherSpelling = "the password is right for another spelling"
        /// The secret is right, and the proof answers another connection's challenge.
        case rightOnOtherChallenge = "the password is right, on another connection's challenge"
        /// None of the known secrets made the proof, and the server let the client in: the file is wrong.
        case wrongAndAccepted = "none of the given secrets is right, and the login was accepted"
        /// None of the known secrets made the proof.
        case wrong = "none of the given secrets is right"
        /// Something is missing.
        case cannotTell = "cannot tell"
    }

    /// The exchange's number.
    public let exchange: Int
    /// What was recomputed, in wire order.
    public let proofs: [Proof]
    /// All in a few words.
    public let conclusion: Conclusion

    /// Sums the proofs of an exchange up; `nil` without any.
    public init?(_ exchange: AuthenticationExchange, _ proofs: [Proof]) {
        // The last proof is the one that the server's last answer is about.
        guard let decisive = proofs.last(where: \.isAboutPassword) else { return nil }
        self.exchange = exchange.number
        self.proofs = proofs
        switch decisive.verdict {
        case .right: conclusion = Self.conclusion(ofRight: exchange.outcome)
        case .rightForOther: conclusion = .rightForOtherSpelling
        case .rightOnOtherChallenge: conclusion = .rightOnOtherChallenge
        case .wrong: conclusion = exchange.outcome == .accepted ? .wrongAndAccepted : .wrong
        case .cannotTell: conclusion = .cannotTell
        }
    }

    private static func conclusion(ofRight outcome: AuthenticationExchange.Outcome) -> Conclusion {
        switch outcome {
        case .accepted: .rightAndAccepted
        case .rejected: .rightAndRefused
        case .broken, .abandoned, .unknown: .rightWithoutEnd
        }
    }

    /// What is right and wrong besides the password, where the password is right; empty where all of it is right.
    public var contradictions: [Proof] {
        guard proofs.contains(where: { $0.isAboutPassword && $0.isRight }) else { return [] }
        return proofs.filter { proof in
            if proof.isAboutPassword { return false }
            switch proof.verdict {
            case .wrong, .rightForOther: return true
            default: return false
            }
        }
    }
}

/// What the known secrets say about a capture.
public struct Proofs: Sendable {
    private let byExchange: [Int: ExchangeProof]
    private let byKDCExchange: [Int: [Proof]]

    /// Nothing: no secrets are known.
    public static let none = Proofs([])

    /// Gathers what is said about each exchange, and about each exchange with a key distribution center by its number.
    public init(_ proofs: [ExchangeProof], kdcExchanges: [Int: [Proof]] = [:]) {
        byExchange = Dictionary(proofs.map { ($0.exchange, $0) }) { first, _ in first }
        byKDCExchange = kdcExchanges.filter { !$0.value.isEmpty }
    }

    /// What is said about an exchange with a key distribution center, by its number; empty where nothing is.
    public subscript(kdcExchange number: Int) -> [Proof] { byKDCExchange[number] ?? [] }

    /// What a proof of an exchange says; `nil` where the exchange has none of the kind, or nothing is known to hold it against.
    public func verdict(on subject: Proof.Subject, of exchange: AuthenticationExchange) -> Proof.Verdict? {
        byExchange[exchange.number]?.proofs.last { $0.subject == subject }?.verdict
    }

    /// What is said about an exchange, by its number; `nil` where nothing is.
    public subscript(exchange number: Int) -> ExchangeProof? { byExchange[number] }

    /// Whether nothing is said.
    public var isEmpty: Bool { byExchange.isEmpty && byKDCExchange.isEmpty }
}
