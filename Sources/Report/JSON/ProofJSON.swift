import AuthScanSchemes
import AuthScanSessions

/// Writes what a recomputed proof says.
struct ProofJSON {
    let secrets: SecretPolicy

    func write(_ proof: Proof, to json: inout JSONWriter) {
        json.object { json in
            json.member("subject", proof.subject.rawValue)
            json.member("transaction", proof.transaction > 0 ? proof.transaction : nil)
            json.member("verdict", proof.verdict.word)
            json.member("reason", proof.verdict.reason)
            if case .rightOnOtherChallenge(let connection, let transaction) = proof.verdict {
                json.member("challengeConnection", connection)
                json.member("challengeTransaction", transaction)
            }
            json.member("sessionKey", proof.sessionKey.map(secrets.hex))
            json.key("details")
            json.object { json in
                for field in proof.details {
                    json.key(field.name)
                    SchemeDetailsJSON(secrets: secrets).write(field.value, to: &json)
                }
            }
        }
    }
}

extension Proof.Verdict {
    /// The verdict as one word for programs.
    var word: String {
        switch self {
        case .right: "right"
        case .rightForOther: "rightForOtherSpelling"
        case .rightOnOtherChallenge: "rightOnOtherChallenge"
        case .wrong: "wrong"
        case .cannotTell: "cannotTell"
        }
    }

    /// Which spelling, or what is missing; `nil` where the verdict says it all.
    var reason: String? {
        switch self {
        case .rightForOther(let text), .cannotTell(let text): text
        case .rightOnOtherChallenge, .right, .wrong: nil
        }
    }

    /// The verdict in words for people.
    var words: String {
        switch self {
        case .right: "right"
        case .rightForOther(let name): "right, but for: \(name)"
        case .rightOnOtherChallenge(let connection, let transaction):
            "right, but for the challenge of connection \(connection) (transaction \(transaction))"
        case .wrong: "wrong"
        case .cannotTell(let reason): "cannot tell: \(reason)"
        }
    }
}
