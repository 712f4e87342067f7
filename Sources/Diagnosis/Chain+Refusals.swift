import AuthScanSchemes
import AuthScanSessions

extension Chain {
    /// The refused Digest answers that show a fault which can explain the refusal, in order.
    ///
    /// None where the server accepted another answer with the same fault, and none that it refused for an old nonce
    /// alone: with `stale=true` it says that the rest is in order.
    ///
    /// - Source: RFC 7616 §3.3 (stale).
    func refusedDigestAnswers(with fault: DigestFault) -> [AuthenticationExchange] {
        refusedDigestAnswers { $0.contains(fault) }
    }

    /// The same for the answers whose faults satisfy a condition.
    func refusedDigestAnswers(where isAtFault: (DigestFault) -> Bool) -> [AuthenticationExchange] {
        refusedDigestIndices(where: isAtFault).map { exchanges[$0] }
    }

    /// The same as indices in the chain.
    func refusedDigestIndices(where isAtFault: (DigestFault) -> Bool) -> [Int] {
        guard traits.contains(.digestFault) else { return [] }
        var refused: [Int] = []
        for (index, exchange) in exchanges.enumerated() where exchange.scheme.kind == .digest {
            guard isAtFault(digestFaults[index]) else { continue }
            if exchange.outcome == .accepted { return [] }
            guard exchange.outcome == .rejected, !exchange.isRefusedAsStale,
                isForwardedIntact(exchange.lastLeg.transaction)
            else { continue }
            refused.append(index)
        }
        return refused
    }

    /// What a rule says about refused exchanges, the first one decisive: a note where the chain goes on to succeed.
    func outcome(
        of refused: [AuthenticationExchange],
        as page: RulePage,
        severity: Severity? = nil,
        confidence: Confidence = .certain,
        message: (AuthenticationExchange) -> String
    ) -> Outcome {
        guard let first = refused.first, let last = refused.last else { return .clear }
        let isMended = isMadeGood(after: last.lastLeg.transaction)
        let times = refused.count == 1 ? "" : " (\(refused.count) times)"
        let text = message(first) + times + (isMended ? "; a later request is accepted" : "")
        return .found([
            page.finding(
                text,
                at: .request(first.lastLeg.transaction),
                in: refused.map(\.lastLeg.transaction),
                severity: isMended ? .note : severity,
                confidence: confidence
            )
        ])
    }
}

extension String {
    /// The text in quotes, cut where it is longer than a message has room for.
    var excerptInQuotes: String { count <= 60 ? "\"\(self)\"" : "\"\(prefix(57))…\"" }

    /// The same of a URI or a request target, without the secrets in it.
    var uriInQuotes: String { URISecrets.redacted(target: self).excerptInQuotes }
}
