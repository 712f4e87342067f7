import AuthScanSessions

extension Chain {
    /// What a proof of one of the chain's exchanges says; `nil` where the exchange has none of the kind, or no secret is given.
    func verdict(on subject: Proof.Subject, of exchange: AuthenticationExchange) -> Proof.Verdict? {
        context.proofs.verdict(on: subject, of: exchange)
    }

    /// What a given keytab adds to a ticket that the server cannot open, to go behind its message; empty without one.
    func keytabClause(of exchange: AuthenticationExchange) -> String {
        switch verdict(on: .kerberosTicket, of: exchange) {
        case .right: "; the given keytab opens it, so that the server uses another key"
        case .rightForOther(let name): "; in the given keytab \(name) opens it"
        case .wrong: "; the given keytab does not open it either"
        case .cannotTell(let reason): "; \(reason)"
        case .rightOnOtherChallenge, nil: ""
        }
    }

    /// What the given secrets add to a refusal, to go behind its message; empty where they add nothing.
    func secretsClause(of exchange: AuthenticationExchange) -> String {
        guard let proof = context.proofs[exchange: exchange.number]?.proofs.last(where: \.isAboutPassword) else {
            return ""
        }
        switch proof.verdict {
        case .right: return "; the given password is right, so that the cause lies elsewhere"
        case .rightForOther(let name): return "; the given password is right, but for another spelling (\(name))"
        case .rightOnOtherChallenge(let connection, _):
            return "; the given password is right, but for the challenge of connection \(connection)"
        case .wrong: return "; the credential was not made of any given password"
        case .cannotTell: return ""
        }
    }
}
