public import AuthScanSchemes

extension AuthenticationExchange {
    /// Its NTLM messages in wire order, raw or inside SPNEGO.
    public var ntlmMessages: [NTLMMessage] {
        legs.flatMap { [$0.ntlm, $0.continuation?.ntlm].compactMap { $0 } }
    }

    /// Its NTLM handshake, held together; `nil` where it holds no NTLM message.
    ///
    /// Where a client began anew on the way, the last handshake counts.
    public var ntlmHandshake: NTLMHandshake? { NTLMHandshake.handshakes(in: ntlmMessages).last }
}
