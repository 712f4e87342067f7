import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

extension Chain {
    /// Whether authentication is in play at all: a challenge, credentials, a refusal, or a login that sets a cookie.
    var isAboutAuthentication: Bool {
        !exchanges.isEmpty || !space.schemes.isEmpty || !traits.isDisjoint(with: [.refusal, .formLogin])
            || isAskedForCertificate
    }

    /// The first step that fails in the client's last tries, with the finding that explains it.
    func breakpoint(explainedBy findings: [Finding]) -> Breakpoint? {
        let failures = finalFailures
        guard let failure = failures.first else { return loginBreakpoint(findings) }
        let candidates = findings.filter { finding in
            (finding.severity == .error || finding.brokenStep != nil) && finding.severity > .note
                && failures.contains { finding.transactions.contains($0.transaction.number) }
        }
        let finding = candidates.first { $0.brokenStep != nil } ?? candidates.first
        let ruleStep = finding.flatMap(\.brokenStep)
        return Breakpoint(
            step: space.isProxy ? .proxy : ruleStep ?? step(of: failure),
            finding: finding?.number,
            packet: finding?.packets.first ?? failure.packet
        )
    }

    /// Where no HTTP authentication fails, a rule may still prove that a login is lost (a cookie, say).
    private func loginBreakpoint(_ findings: [Finding]) -> Breakpoint? {
        guard let finding = findings.first(where: { $0.severity == .error }), let step = finding.brokenStep,
            !endsInSuccess || exchanges.isEmpty || isLastWord(finding)
        else { return nil }
        return Breakpoint(step: step, finding: finding.number, packet: finding.packets.first ?? 0)
    }

    /// Whether a finding is about the chain's last event, which the end of the capture leaves open without it.
    private func isLastWord(_ finding: Finding) -> Bool {
        guard let last = course.marks.last, last.kind == .open else { return false }
        return finding.transactions.contains(event(last).transaction.number)
    }

    func verdict(breakpoint: Breakpoint?) -> Verdict {
        if breakpoint != nil { return .broken }
        if !traits.isDisjoint(with: [.success, .failure]) { return .working }
        if isLetInByCertificate { return .working }
        return course.marks.isEmpty && traits.contains(.formLogin) ? .working : .cannotTell
    }

    /// The step at which an event fails, as the events alone show it.
    func step(of event: ChainEvent) -> ChainStep {
        let firstSuccess = course.successes.first.map { self.event($0).transaction.packet } ?? .max
        let hasSucceeded = firstSuccess < event.transaction.packet
        switch event.kind {
        case .accepted, .open: return .accept
        case .forbidden: return .authorize
        case .bareForbidden: return .continue
        case .broken, .abandoned: return .handshake
        case .noChallenge, .preflightRefused: return .challenge
        case .unanswered: return hasSucceeded ? .continue : isUnreadable(event) ? .challenge : .answer
        case .rejected: return stepOfRejection(event)
        }
    }

    /// Whether every challenge of the response is malformed, so that there was nothing to answer.
    private func isUnreadable(_ event: ChainEvent) -> Bool {
        event.transaction.fields(for: target).challenges.allSatisfy { !$0.problems.allSatisfy(\.isHarmless) }
    }

    private func stepOfRejection(_ event: ChainEvent) -> ChainStep {
        guard let exchange = exchange(of: event) else { return .accept }
        if exchange.isConnectionBound, exchange.isNTLM, exchange.authenticate == nil { return .handshake }
        // The same user was let in before: the credential is right, and what fails is staying in.
        let earlier = course.successes.lazy.map { self.event($0) }.prefix {
            $0.transaction.packet < event.transaction.packet
        }
        let wasAccepted = exchange.user != nil && earlier.contains { self.exchange(of: $0)?.user == exchange.user }
        return wasAccepted ? .continue : .accept
    }

    /// The ten steps, given where the chain breaks.
    func steps(breakpoint: Breakpoint?) -> [StepResult] {
        let broken = breakpoint?.step.order
        return ChainStep.inOrder.enumerated().map { order, step in
            guard let breakpoint, let broken else { return state(of: step) }
            if order == broken { return StepResult(step: step, state: .broken, packet: breakpoint.packet) }
            if order > broken { return StepResult(step: step, state: .notReached, packet: nil) }
            let result = state(of: step)
            // What comes before the breakpoint was passed, or was not needed.
            return result.state == .notReached ? StepResult(step: step, state: .notNeeded, packet: nil) : result
        }
    }

    private func state(of step: ChainStep) -> StepResult {
        switch step {
        case .connect: return connectState
        case .trust: return trustState
        case .clientCertificate: return clientCertificateState
        case .proxy: return proxyState
        case .challenge:
            guard traits.contains(.refusal) else { return StepResult(step: step, state: .notNeeded, packet: nil) }
            let challenged = entries.first { $0.summary.status == target.refusalStatus }?.transaction
            return StepResult(step: step, state: .ok, packet: challenged?.responsePacket)
        case .answer: return reached(step, packet: exchanges.first?.legs[0].transaction.packet)
        case .handshake: return handshakeState
        case .accept: return reached(step, packet: firstAcceptedPacket)
        case .authorize:
            let first = traits.contains(.success) ? course.marks.first { $0.kind == .accepted } : nil
            return reached(step, packet: first.map { event($0).packet })
        case .continue: return continueState
        }
    }

    private func reached(_ step: ChainStep, packet: Int?) -> StepResult {
        let missing: StepState = traits.contains(.openTry) ? .cannotTell : .notReached
        return StepResult(step: step, state: packet == nil ? missing : .ok, packet: packet)
    }

    /// The packet of the response that accepts a credential for the first time; `nil` where none does.
    private var firstAcceptedPacket: Int? {
        guard traits.contains(.accepted) else { return nil }
        return exchanges.first { $0.outcome == .accepted }?.lastLeg.transaction.responsePacket
    }

    private var connectState: StepResult {
        guard let number = entries.first?.transaction.connection ?? session.bareConnections.first else {
            return StepResult(step: .connect, state: .cannotTell, packet: nil)
        }
        let connection = context.connection(number)
        return StepResult(
            step: .connect,
            state: connection.isAccepted ? .ok : .cannotTell,
            packet: connection.firstPacket
        )
    }

    private var proxyState: StepResult {
        if space.isProxy {
            let accepted = firstAcceptedPacket
            return StepResult(step: .proxy, state: accepted == nil ? .cannotTell : .ok, packet: accepted)
        }
        guard traits.contains(.proxyCredentials) else {
            return StepResult(step: .proxy, state: .notNeeded, packet: nil)
        }
        let satisfied = entries.first {
            $0.summary.hasProxyCredentials && $0.summary.status != 407
        }
        let state: StepState = satisfied == nil ? .notNeeded : .ok
        return StepResult(step: .proxy, state: state, packet: satisfied?.transaction.responsePacket)
    }

    private var handshakeState: StepResult {
        guard !exchanges.isEmpty else { return StepResult(step: .handshake, state: .notReached, packet: nil) }
        guard traits.contains(.tokenScheme),
            let exchange = exchanges.first(where: { $0.isConnectionBound && $0.legs.count > 1 })
        else {
            return StepResult(step: .handshake, state: .notNeeded, packet: nil)
        }
        return StepResult(step: .handshake, state: .ok, packet: exchange.lastLeg.transaction.packet)
    }

    private var continueState: StepResult {
        guard course.successes.count > 1 else {
            return StepResult(step: .continue, state: .notNeeded, packet: nil)
        }
        return StepResult(step: .continue, state: .ok, packet: lastSuccess?.packet)
    }
}

extension ChainStep {
    /// The steps in their order, kept: every chain has them.
    fileprivate static let inOrder = allCases

    /// The step's place in the row, counted from 0.
    var order: Int { ChainStep.inOrder.firstIndex(of: self) ?? 0 }
}
