import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

extension Chain {
    /// The refused NTLM handshakes whose messages all went over one connection, on either side of a proxy, with no
    /// success of the chain behind them.
    var refusedWholeNTLMHandshakes: [AuthenticationExchange] {
        refusedNTLMHandshakes.filter {
            $0.connections.count == 1 && context.forwarded($0)?.connections.count ?? 1 == 1
        }
    }

    /// The refused NTLMv2 handshakes over TLS in which nothing but password and channel binding can be wrong, where no
    /// handshake of the chain was accepted with the same kind of channel binding.
    func refusedTLSHandshakes(where isMeant: (ChannelBindings) -> Bool) -> [AuthenticationExchange] {
        let bound = exchanges.filter { exchange in
            guard let (message, leg) = exchange.authenticate, leg.transaction.isSecure else { return false }
            return message.response == .ntlmV2 && isMeant(message.channelBindings)
        }
        guard !bound.contains(where: { $0.outcome == .accepted }) else { return [] }
        let numbers = Set(bound.map(\.number))
        return refusedWholeNTLMHandshakes.filter { exchange in
            numbers.contains(exchange.number) && !exchange.hasVisibleNTLMFault
                && exchange.authenticate?.message.problems.isEmpty == true
        }
    }
}

extension AuthenticateMessage {
    /// Whether a session key is exchanged, and covered by a MIC, although nothing is to be signed or sealed with it.
    ///
    /// - Source: MS-NLMP §3.1.5.1.2: the exported session key depends on KEY_EXCH together with SIGN or SEAL.
    var exchangesKeyWithoutSigning: Bool {
        guard let flags, case .present = mic else { return false }
        return flags.contains(.negotiateKeyExchange) && flags.isDisjoint(with: [.negotiateSign, .negotiateSeal])
    }

    /// What is wrong with the NTLMv2 response, apart from what is wrong with the message around it.
    var responseProblems: [String] { problems.filter { isInsideResponse($0.offset) }.map(\.description) }

    /// What is wrong with the message around the response.
    var layoutProblems: [String] { problems.filter { !isInsideResponse($0.offset) }.map(\.description) }

    private func isInsideResponse(_ offset: Int) -> Bool {
        guard let field = fields.first(where: { $0.name == "NtChallengeResponse" }), ntlmV2 != nil else { return false }
        return offset >= field.bufferOffset && offset <= field.bufferOffset + field.length
    }
}
