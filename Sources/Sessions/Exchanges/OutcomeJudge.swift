import AuthScanSchemes
import AuthScanWire

/// Says how an exchange ended, from its last leg and what became of the connection.
struct OutcomeJudge: Sendable {
    let connections: [Connection]
    let captureEnd: Timestamp

    /// How the exchange with this last leg ended; `isFollowed` says whether the client went on in its space afterwards.
    func outcome(of leg: Leg, isFollowed: Bool) -> AuthenticationExchange.Outcome {
        guard let status = leg.transaction.status else { return outcomeWithoutResponse(leg.transaction) }
        if leg.continuationIndex != nil { return outcomeAtChallenge(leg.transaction, isFollowed: isFollowed) }
        if status == leg.target.refusalStatus { return outcomeOfRefusal(leg) }
        // A proxy's refusal says nothing about the credential for the server behind it.
        if status == 407, leg.target == .origin { return .unknown }
        // Whoever refuses a tunnel is the proxy, whatever status it takes for it (RFC 9110 §9.3.6).
        if status == 401, leg.target == .proxy, leg.transaction.isConnect { return .rejected }
        return refusesCredential(status: status, leg) ? .rejected : .accepted
    }

    private func outcomeWithoutResponse(_ transaction: Transaction) -> AuthenticationExchange.Outcome {
        let connection = connections[transaction.connection - 1]
        let isAnswerMissing = connection.gaps.contains { $0.from == .server && $0.beforePacket >= transaction.packet }
        guard !connection.isOneSided, !isAnswerMissing, let close = connection.closePacket, close > transaction.packet
        else { return .unknown }
        return .broken
    }

    private func outcomeAtChallenge(_ transaction: Transaction, isFollowed: Bool) -> AuthenticationExchange.Outcome {
        let connection = connections[transaction.connection - 1]
        if transaction.announcesClose || isClosedAtOnce(connection, after: transaction) { return .broken }
        if connection.closedBy != nil || isFollowed { return .abandoned }
        return captureEnd.seconds(since: transaction.endTime) >= ClientPatience.seconds ? .abandoned : .unknown
    }

    /// Whether the server ended the connection before the client had its time to answer; one that waited for longer gave up on it.
    private func isClosedAtOnce(_ connection: Connection, after transaction: Transaction) -> Bool {
        guard connection.closedBy?.side == .server else { return false }
        return connection.closeTime.map { $0.seconds(since: transaction.endTime) < ClientPatience.seconds } ?? true
    }

    private func outcomeOfRefusal(_ leg: Leg) -> AuthenticationExchange.Outcome {
        // A 401 with a finished negotiation is the application's refusal, not the mechanism's.
        let isFinished = leg.transaction.fields(for: leg.target).challenges.contains {
            $0.negotiate?.spnego?.negTokenResp?.negState == .acceptCompleted
        }
        return isFinished ? .accepted : .rejected
    }

    /// Whether a status other than 401 and 407 is an answer to the credential itself.
    private func refusesCredential(status: Int, _ leg: Leg) -> Bool {
        switch status {
        // RFC 6585 §5: the fields are too large; with credentials of some kilobytes it is they. 494 is nginx's own for that.
        case 431, 494: true
        case 400: isMalformedInServersEyes(leg) || isSignedAtAnotherTime(leg)
        // RFC 9110 §15.5.12: the server wants a length first, and has not looked at the handshake's first message.
        case 411: isUnansweredHandshake(leg) || isBound(leg) && leg.transaction.statesNoLength
        // A server that takes Kerberos alone may answer NTLM's first message with 403 instead of a challenge.
        case 403: isUnansweredNegotiate(leg) || hasBearerError(leg) || isSignedAtAnotherTime(leg)
        default: false
        }
    }

    private func isMalformedInServersEyes(_ leg: Leg) -> Bool {
        // RFC 9110 §15.5.1: what the server perceives as malformed may well be what is malformed.
        let all = leg.transaction.fields(for: leg.target).credentials
        if all.count > 1 || !leg.credentials.problems.allSatisfy(\.isHarmless) { return true }
        // Storage services take one kind of authentication at a time: with a signed URL the credential is what is too much.
        if leg.target == .origin, leg.transaction.isSignedURL { return true }
        return switch leg.credentials.scheme.kind {
        case .digest: true
        case .bearer: hasBearerError(leg)
        case .negotiate, .kerberos: (leg.credentials.token68?.byteCount ?? 0) > 4096 || hasFaultyMessage(leg)
        case .ntlm: hasFaultyMessage(leg)
        case .basic, .other: false
        }
    }

    /// Whether the NTLM message contradicts its own layout.
    private func hasFaultyMessage(_ leg: Leg) -> Bool { leg.ntlm?.problems.isEmpty == false }

    private func isBound(_ leg: Leg) -> Bool { leg.credentials.scheme.requiresSameConnection }

    private func hasBearerError(_ leg: Leg) -> Bool {
        leg.transaction.originFields.challenges.contains { challenge in
            challenge.scheme.kind == .bearer && challenge.parameters["error"] == "invalid_token"
        }
    }

    /// Amazon's services know no 401: a signature that they do not take is answered with 403, as is a missing permission.
    private func isSignedAtAnotherTime(_ leg: Leg) -> Bool {
        leg.credentials.scheme == .aws4HMACSHA256 && leg.transaction.signedTimeSkew != nil
    }

    private func isUnansweredNegotiate(_ leg: Leg) -> Bool {
        isUnansweredHandshake(leg) && leg.credentials.scheme.kind == .negotiate
    }

    private func isUnansweredHandshake(_ leg: Leg) -> Bool {
        if case .negotiate? = leg.ntlm { true } else { false }
    }
}
