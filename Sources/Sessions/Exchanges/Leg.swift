public import AuthScanSchemes

/// One request with credentials, and what was answered to it.
///
/// It points into its transaction instead of copying the decoded fields, and is kept small: a capture may hold a hundred
/// thousand legs.
public struct Leg: Sendable {
    /// The request and its response.
    public let transaction: Transaction

    /// Whether the server or a proxy is to be satisfied.
    let target: AuthenticationTarget

    private let storedContinuation: Int32

    init(transaction: Transaction, target: AuthenticationTarget, continuationIndex: Int?) {
        self.transaction = transaction
        self.target = target
        storedContinuation = continuationIndex.map { Int32(clamping: $0) } ?? -1
    }

    /// The index of the continuation among the response's challenges; `nil` where there is none.
    var continuationIndex: Int? { storedContinuation < 0 ? nil : Int(storedContinuation) }

    /// The credentials that the request brought (the first, where it brought several).
    public var credentials: Credentials { transaction.fields(for: target).credentials[0] }

    /// The challenge of the response that continues the exchange: it carries a token of the same scheme.
    public var continuation: Challenge? {
        continuationIndex.map { transaction.fields(for: target).challenges[$0] }
    }

    /// The NTLM message that the request brought, raw or inside SPNEGO.
    public var ntlm: NTLMMessage? { credentials.ntlm }
}
