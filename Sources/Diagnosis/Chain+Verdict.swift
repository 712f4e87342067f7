import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

extension Chain {
    /// Whether authentication is in play at all: a challenge, credentials, a refusal, or a login that sets a cookie.
    var isAboutAuthentication: Bool {
        !exchanges.isEmpty || !space.schemes.isEmpty || isAskedForCertificate
            || entries.contains { $0.transaction.status == target.refusalStatus || $0.transaction.isFormLogin }
    }

    /// The first step that fails in the client's last tries, with the finding that explains it.
    func breakpoint(explainedBy findings: [Finding]) -> Breakpoint? {
        guard let failure = finalFailures.first else { return loginBreakpoint(findings) }
        let candidates = findings.filter { finding in
            (finding.severity == .error || finding.brokenStep != nil) && finding.severity > .note
                && finalFailures.contains { finding.transactions.contains($0.transaction.number) }
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
        guard let last = timeline.last, last.kind == .open else { return false }
        return finding.transactions.contains(last.transaction.number)
    }

    func verdict(breakpoint: Breakpoint?) -> Verdict {
        if breakpoint != nil { return .broken }
        if lastDecisiveEvent != nil { return .working }
        if isLetInByCertificate { return .working }
        return timeline.isEmpty && entries.contains { $0.transaction.isFormLogin } ? .working : .cannotTell
    }

    /// The step at which an event fails, as the events alone show it.
    func step(of event: ChainEvent) -> ChainStep {
        let hasSucceeded = timeline.contains {
            $0.kind == .accepted && $0.transaction.packet < event.transaction.packet
        }
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
        let wasAccepted = timeline.contains {
            $0.kind == .accepted && $0.transaction.packet < event.transaction.packet
                && exchange.user != nil && self.exchange(of: $0)?.user == exchange.user
        }
        return wasAccepted ? .continue : .accept
    }

    /// The ten steps, given where the chain breaks.
    func steps(breakpoint: Breakpoint?) -> [StepResult] {
        ChainStep.allCases.map { step in
            guard let breakpoint else { return state(of: step) }
            if step == breakpoint.step { return StepResult(step: step, state: .broken, packet: breakpoint.packet) }
            if step.order < breakpoint.step.order {
                let result = state(of: step)
                // What comes before the breakpoint was passed, or was not needed.
                return result.state == .notReached ? StepResult(step: step, state: .notNeeded, packet: nil) : result
            }
            return StepResult(step: step, state: .notReached, packet: nil)
        }
    }

    private func state(of step: ChainStep) -> StepResult {
        switch step {
        case .connect: return connectState
        case .trust: return trustState
        case .clientCertificate: return clientCertificateState
        case .proxy: return proxyState
        case .challenge:
            let challenged = entries.first { $0.transaction.status == target.refusalStatus }?.transaction
            return StepResult(
                step: step,
                state: challenged == nil ? .notNeeded : .ok,
                packet: challenged?.responsePacket
            )
        case .answer: return reached(step, packet: exchanges.first?.legs[0].transaction.packet)
        case .handshake: return handshakeState
        case .accept:
            return reached(
                step,
                packet: exchanges.first { $0.outcome == .accepted }?.lastLeg.transaction.responsePacket
            )
        case .authorize:
            let event = timeline.first { $0.kind == .accepted }
            return reached(step, packet: event?.packet)
        case .continue: return continueState
        }
    }

    private func reached(_ step: ChainStep, packet: Int?) -> StepResult {
        let missing: StepState = exchanges.contains { $0.outcome == .unknown } ? .cannotTell : .notReached
        return StepResult(step: step, state: packet == nil ? missing : .ok, packet: packet)
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
            let accepted = exchanges.first { $0.outcome == .accepted }?.lastLeg.transaction.responsePacket
            return StepResult(step: .proxy, state: accepted == nil ? .cannotTell : .ok, packet: accepted)
        }
        let satisfied = entries.first {
            !$0.transaction.proxyFields.credentials.isEmpty && $0.transaction.status != 407
        }
        let state: StepState = satisfied == nil ? .notNeeded : .ok
        return StepResult(step: .proxy, state: state, packet: satisfied?.transaction.responsePacket)
    }

    private var handshakeState: StepResult {
        guard let exchange = exchanges.first(where: { $0.isConnectionBound && $0.legs.count > 1 }) ?? exchanges.first
        else {
            return StepResult(step: .handshake, state: .notReached, packet: nil)
        }
        guard exchange.isConnectionBound, exchange.legs.count > 1 else {
            return StepResult(step: .handshake, state: .notNeeded, packet: nil)
        }
        return StepResult(step: .handshake, state: .ok, packet: exchange.lastLeg.transaction.packet)
    }

    private var continueState: StepResult {
        let successes = timeline.filter { $0.kind == .accepted }
        guard successes.count > 1 else {
            return StepResult(step: .continue, state: .notNeeded, packet: nil)
        }
        return StepResult(step: .continue, state: .ok, packet: successes.last?.packet)
    }
}

extension ChainStep {
    /// The step's place in the row, counted from 0.
    var order: Int { ChainStep.allCases.firstIndex(of: self) ?? 0 }
}
