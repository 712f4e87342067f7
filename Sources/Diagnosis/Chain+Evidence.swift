import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

extension Chain {
    /// Whether credentials of this chain came after a transaction's response.
    func hasCredentials(after transaction: Transaction) -> Bool {
        lastCredentialsPacket > transaction.responsePacket ?? transaction.packet
    }

    /// The refusals of bare requests that were never answered.
    var unansweredChallenges: [ChainEvent] {
        traits.contains(.unanswered) ? events { $0 == .unanswered } : []
    }

    /// The bare refusals whose silence the end of the capture hides.
    var openChallenges: [ChainEvent] {
        traits.contains(.openChallenge) ? events { $0 == .open }.filter { $0.exchange == nil } : []
    }

    /// `.cannotTell` where a challenge is open at the end of the capture, else `.clear`.
    var openOutcome: Outcome {
        guard let open = openChallenges.last, !hasCredentials(after: open.transaction) else { return .clear }
        return .cannotTell(
            Incompleteness("the capture ends too early after a challenge", connections: [open.transaction.connection])
        )
    }

    /// Whether the server ended the connection right after a response, or announced in the response that it would.
    ///
    /// A server that closes after `ClientPatience.seconds` gave up waiting: then it is the client that stopped.
    func isEndedByServer(after transaction: Transaction) -> Bool {
        if transaction.announcesClose { return true }
        let connection = connection(of: transaction)
        guard connection.closedBy?.side == .server, let packet = connection.closePacket, packet > transaction.packet,
            let time = connection.closeTime
        else { return false }
        return time.seconds(since: transaction.endTime) < ClientPatience.seconds
    }

    /// The exchanges whose complete NTLM handshake was refused, with no success of the chain behind them.
    var refusedNTLMHandshakes: [AuthenticationExchange] {
        exchanges.filter {
            $0.outcome == .rejected && $0.authenticate != nil && !isMadeGood(after: $0.lastLeg.transaction)
        }
    }

    /// Whether a request went on to the server as the client sent it, as far as the capture shows both sides of a proxy.
    func isForwardedIntact(_ transaction: Transaction) -> Bool {
        guard target == .origin, let copy = context.forwardedCopy(of: transaction, from: session.client)?.request
        else { return true }
        return copy.fields.contains(.authorization) && copy.target == transaction.request?.target
    }
}

extension AuthenticationExchange {
    /// What the user presented, so that a repetition can be told from another try; `nil` where it cannot be compared.
    ///
    /// Basic and Bearer by the token itself, Digest and NTLM by the names: their responses change with every challenge.
    var fingerprint: String? {
        let credentials = lastLeg.credentials
        switch credentials.scheme.kind {
        case .basic, .bearer:
            return credentials.token68?.text.withRevealed { credentials.scheme.kind.rawValue + " " + $0 }
        case .digest: return user.map { "digest \($0) \(credentials.realm ?? "")" }
        case .ntlm, .negotiate:
            // Who names nobody has no account that could be locked.
            guard authenticate != nil, user?.isEmpty == false else { return nil }
            return "ntlm \(domain ?? "")\\\(user ?? "")@\(workstation ?? "")"
        case .kerberos, .other: return nil
        }
    }

    /// `DOMAIN\user` as the AUTHENTICATE_MESSAGE has it, the user alone elsewhere, in quotes.
    var accountInQuotes: String {
        let name = domain.map { $0.isEmpty ? user ?? "" : "\($0)\\\(user ?? "")" } ?? user ?? ""
        return "\"\(name)\""
    }

    /// Whether the response that refused the last leg offers a scheme.
    func isOffered(_ kind: AuthenticationScheme.Kind) -> Bool {
        lastLeg.transaction.fields(for: target).challenges.contains { $0.scheme.kind == kind }
    }

    /// Whether the messages of an NTLM handshake show a fault that explains a refusal better than the password does.
    var hasVisibleNTLMFault: Bool {
        guard let (message, _) = authenticate else { return true }
        if connections.count > 1 || message.user?.isEmpty != false || message.response == .none { return true }
        return message.exchangesKeyWithoutSigning
    }
}
