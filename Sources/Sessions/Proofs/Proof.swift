public import AuthScanBytes
public import AuthScanSchemes

/// What a captured proof says about the secrets that the user believes to be right.
///
/// The value is part of the model, so that rules may rest on it; it is computed where keys are, above this target.
public struct Proof: Sendable {
    /// What was recomputed.
    public enum Subject: String, Sendable {
        /// Basic's password itself.
        case basicPassword = "Basic password"
        /// Digest's `response`.
        case digestResponse = "Digest response"
        /// Digest's `rspauth`, the server's proof.
        case digestRspauth = "Digest rspauth"
        /// The NtChallengeResponse, or the LmChallengeResponse where it stands alone.
        case ntlmResponse = "NTLM response"
        /// The LMv2 response beside an NTLMv2 response.
        case lmV2Response = "LMv2 response"
        /// The LM response beside an NTLMv1 response.
        case lmResponse = "LM response"
        /// The MIC of the AUTHENTICATE_MESSAGE.
        case messageIntegrityCode = "message integrity code"
        /// The ticket of an AP-REQ.
        case kerberosTicket = "Kerberos ticket"
        /// The authenticator of an AP-REQ.
        case kerberosAuthenticator = "Kerberos authenticator"
        /// The server's answer to an AP-REQ.
        case kerberosReply = "Kerberos AP-REP"
        /// The session key of an AP-REQ's ticket, followed from a secret through what the client exchanged with its KDC.
        case kerberosSessionKey = "Kerberos session key"
        /// The client's part of an AS-REP.
        case kerberosInitialReply = "Kerberos AS-REP"
        /// The authenticator of a TGS-REQ.
        case kerberosRequestAuthenticator = "Kerberos TGS-REQ authenticator"
        /// The client's part of a TGS-REP.
        case kerberosServiceReply = "Kerberos TGS-REP"
        /// The channel bindings of an AP-REQ or AUTHENTICATE_MESSAGE, held against the server's certificate.
        case channelBindings = "channel bindings"
        /// The encrypted time of an AS-REQ.
        case kerberosTimestamp = "Kerberos encrypted timestamp"
    }

    /// What came out.
    public enum Verdict: Hashable, Sendable {
        /// The secret is right.
        case right
        /// The secret is right for another spelling of user or domain, or under another key's name; the text names it.
        case rightForOther(String)
        /// The secret is right, and the proof answers the challenge of another connection.
        case rightOnOtherChallenge(connection: Int, transaction: Int)
        /// None of the known secrets made this proof.
        case wrong
        /// Something that the computation needs is missing; the text names it.
        case cannotTell(String)
    }

    /// What was recomputed.
    public let subject: Subject
    /// What came out.
    public let verdict: Verdict
    /// The number of the transaction that carries the proof.
    public var transaction: Int
    /// More that came to light: names, times, channel bindings.
    public let details: [SchemeField]
    /// The key that the computation gave: NTLM's exported session key, Kerberos' session key; `nil` where there is none.
    public let sessionKey: Secret<[UInt8]>?

    /// States what came out.
    public init(
        _ subject: Subject,
        _ verdict: Verdict,
        transaction: Int = 0,
        details: [SchemeField] = [],
        sessionKey: Secret<[UInt8]>? = nil
    ) {
        self.subject = subject
        self.verdict = verdict
        self.transaction = transaction
        self.details = details
        self.sessionKey = sessionKey
    }

    /// Whether the secret is right, be it under another name or on another challenge.
    public var isRight: Bool {
        switch verdict {
        case .right, .rightForOther, .rightOnOtherChallenge: true
        case .wrong, .cannotTell: false
        }
    }

    /// Whether the proof says more about the password than whether it arrived whole.
    public var isAboutPassword: Bool {
        switch subject {
        case .basicPassword, .digestResponse, .ntlmResponse, .kerberosTicket, .kerberosSessionKey, .kerberosTimestamp,
            .kerberosInitialReply:
            true
        default: false
        }
    }
}
