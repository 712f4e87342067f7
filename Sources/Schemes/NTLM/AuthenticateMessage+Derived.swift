import AuthScanBytes

extension AuthenticateMessage {
    /// The client's nonce of an NTLM2 session response, which stands in the first eight bytes of the LM response; `nil`
    /// for other kinds.
    ///
    /// - Source: MS-NLMP 3.3.1.
    public var sessionClientChallenge: [UInt8]? {
        guard response == .ntlm2Session else { return nil }
        return lmChallengeResponse?.withRevealed { Array($0.prefix(8)) }
    }

    /// Whether client and server of Apple's implementation are bound to disagree about the session key.
    ///
    /// Heimdal takes key exchange without signing or sealing to mean that no key is exchanged, Windows does not: then
    /// the message integrity code does not verify.
    ///
    /// - Source: MS-NLMP 3.1.5.1.2; pyspnego, docs/scenarios/heimdal_macos_ntlm.md.
    public var hasAppleKeyExchangeConflict: Bool {
        guard version?.isAppleFingerprint == true, let flags, case .present = mic else { return false }
        return flags.contains(.negotiateKeyExchange) && flags.isDisjoint(with: [.negotiateSign, .negotiateSeal])
    }
}

extension NegotiateFlags {
    /// Whether the sides exchange a key of their own instead of using the one that the password gives.
    ///
    /// - Source: MS-NLMP 3.1.5.1.2: "If (NTLMSSP_NEGOTIATE_KEY_EXCH set and (NTLMSSP_NEGOTIATE_SIGN or …SEAL set))".
    public var exchangesKey: Bool {
        contains(.negotiateKeyExchange) && !isDisjoint(with: [.negotiateSign, .negotiateSeal])
    }
}
