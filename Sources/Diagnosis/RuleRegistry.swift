/// Every rule, in the order in which reports and `authscan rules` list them: by the step of the chain that breaks.
public let allRules: [any Rule] = [
    ConnectionRefused(), HTTPOnTLSPort(), TLSHandshakeFailure(), TLSATSRequirements(), TLSInterceptionUntrusted(),
    TLSServerUntrusted(), TLSCertificateInvalid(),
    TLSClientCertEmpty(), TLSClientCertRejected(), TLSClientCertUnanswered(), TLSRenegotiationForClientCert(),
    TLS13PostHandshakeAuthMissing(), ATSCleartext(),
    CaptivePortal(),
    ProxyCredentialNotSent(), Proxy407NoChallenge(), ProxyAnswers401(), NTLMProxyNoKeepalive(),
    ProxyNTLMHangAfterAuth(),
    ProxySecond407AfterType3(), ProxyAuthStateLeak(), ProxyPromptEveryLaunch(),
    ChallengeLostBeforeClient(), SharePointFBA403(), HTTP401NoChallenge(), ChallengeMalformed(),
    KerberosClientRefused(), KerberosKDCClockSkew(), KerberosEtypeUnsupported(), KerberosSPNUnknown(),
    ADFSWIAUserAgent(), ChallengeFirstOnly(), ChallengeUnanswered(), NegotiateNoToken(), CredentialSchemeNotOffered(),
    NoCommonScheme(),
    ChallengeMergedWithToken(),
    NTLMConnClosedAfterChallenge(), NTLMType3OnNewConnection(), NTLMLBSplitsHandshake(), NTLMHandshakeAbandoned(),
    NTLMExpectContinueDeadlock(), NTLM411LengthRequired(), NTLMBodySentInEarlyLeg(), NTLMThroughPlainProxy(),
    HTTP11RequiredNotRetried(), ConnectionResetDuringHandshake(), ServerNoAnswer(), AuthorizationLostBeforeServer(),
    NegotiateNTLMFallback(), NegotiateMechMismatch(), NegotiateContinueIgnored(), KerberosIPAddressHost(),
    NTLMTokenSchemeMismatch(), NTLMHTTP2NotPossible(), NTLMTokenReplayed(), NTLMMessageMalformed(),
    NTLMDomainForm(), NTLMEmptyUsername(), NTLMAnonymous(), NTLMV1Response(), NTLMV2ToV1OnlyServer(),
    NTLMEPARequired(), NTLMEPAZeroBinding(), NTLMEPAMismatch(), NTLMMICInvalid(),
    NTLMBlobMalformed(), NTLMKeyExchWithoutSign(), NTLMMICMissing(), NTLMTimestampSkew(), NTLMOEMNonASCIIName(),
    NTLMWorkstationName(), NTLMTargetNameMismatch(), NTLMLocalCallLoopback(), NTLMCredentialRejected(), NTLMLoginLoop(),
    KerberosAPErrSkew(), KerberosAPErrModified(), KerberosServiceKeyMissing(), KerberosSPNHostMismatch(),
    KerberosTokenTooLarge(), KerberosEtypeOrKvno(), NegotiateRejected(), NegotiateMutualAuthMissing(), HeaderTooLarge(),
    BasicMalformedCredential(), BasicCharsetMismatch(), BasicDomainPrefixedUser(), BasicCredentialRejected(),
    DigestAlgorithmUnsupported(), DigestURIMismatch(), DigestURIAbsolute(), DigestURIRewritten(), DigestRealmAltered(),
    DigestUsernameDomainPrefixed(), DigestUsernameEscaping(), DigestQOPMissing(), DigestQOPListEchoed(),
    DigestParameterQuoting(), DigestNonceIgnored(), DigestNCStartOrReset(), DigestNCReused(), DigestNCOutOfOrder(),
    DigestStaleMissing(), DigestStaleLoop(), DigestNeedsCookie(), DigestResponseWrong(), DigestCredentialRejected(),
    PresignedURLPlusAuthorization(), BearerPlaceholderValue(), BearerTokenExpired(), BearerAudienceOrIssuer(),
    BearerClaimsChallenge(),
    BearerRefreshLoop(), BearerStatusErrorMismatch(), HawkStaleTimestamp(), SigV4ClockSkew(),
    UnknownScheme(),
    AuthorizationDuplicate(), AuthorizationWithoutScheme(), ManualAuthorizationPlusChallenge(),
    StaleCredentialsLockout(),
    BearerInsufficientScope(), AuthorizationRefusedAs401(), AuthenticatedButForbidden(), TLSClientCert403Masked(),
    UserAgentBlocked(),
    UserAgentMissing(), AuthorizationOverwrittenByAppToken(), AuthorizationOnlyOnFirstRequest(),
    RedirectDropsAuthorization(), RedirectLeaksAuthorization(), CookieSecureOverHTTP(), CookieDomainOrPathMismatch(),
    CookieSameSiteOrThirdParty(), SessionCookieNotReturned(), LoginRedirectInsteadOf401(), CORSPreflight401(),
    BackgroundSessionChallenge(),
    NTLMSubresourceNewConnection(), NTLMPostBodyLost(), NTLMCrossUserConnection(), NTLMIdentityChange(),
    CredentialCacheWrongUser(),
    NTLMPerRequestReauth(),
    CredentialsInClear(),
]

private let pagesByID: [String: RulePage] = {
    var pages: [String: RulePage] = [:]
    for rule in allRules {
        for id in [rule.page.id] + rule.page.formerIDs { pages[id] = rule.page }
    }
    return pages
}()

/// The page of a rule by its id or a former one; `nil` where there is no such rule.
public func rulePage(_ id: String) -> RulePage? { pagesByID[id] }

/// What is asked of a rule for every finding of its.
struct RuleFacts: Sendable {
    let id: String
    let needs: ChainTraits
    let step: ChainStep?
    let supersedes: Set<String>
    let explains: Set<String>
}

/// The facts of each rule, by its place in `allRules`.
let ruleFacts = allRules.map { rule in
    let page = rule.page
    return RuleFacts(
        id: page.id,
        needs: rule.needs,
        step: page.step,
        supersedes: Set(page.supersedes),
        explains: Set(page.explains)
    )
}
