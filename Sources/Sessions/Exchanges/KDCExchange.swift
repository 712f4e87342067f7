public import AuthScanBytes
public import AuthScanSchemes
public import AuthScanWire

/// A client's question to a key distribution center, and the answer.
///
/// - Source: RFC 4120 §3.1, §3.3.
public final class KDCExchange: Sendable {
    /// One message.
    public struct Leg: Sendable {
        /// The packet that completed it, counted from 1.
        public let packet: Int

        /// When that packet was captured.
        public let time: Timestamp

        /// The message; `nil` where it could not be read.
        public let message: KDCMessage?

        /// Why it could not be read; `nil` where it could.
        public let problem: DecodeError?

        /// How many bytes of it the capture lacks.
        public let missingBytes: Int

        /// What stood around the message, where it went through a KDC proxy; `nil` where it did not, or could not be read.
        public let proxyMessage: KDCProxyMessage?
    }

    /// Its number, counted from 1 in the order in which these exchanges begin.
    public let number: Int

    /// The end that asks.
    public let client: Endpoint

    /// The key distribution center, or the proxy to it.
    public let server: Endpoint

    /// The number of the TCP connection; `nil` for datagrams.
    public let connection: Int?

    /// Whether it went through a KDC proxy, which is the `server` then.
    public let isProxied: Bool

    /// The question; `nil` where the capture lacks it.
    public let request: Leg?

    /// The answer; `nil` where the capture has none.
    public let response: Leg?

    init(_ draft: KDCExchangeDraft, number: Int) {
        self.number = number
        client = draft.client
        server = draft.server
        connection = draft.connection
        isProxied = draft.isProxied
        request = draft.request
        response = draft.response
    }
}

extension KDCExchange {
    /// The first packet of it that was captured.
    public var packet: Int { request?.packet ?? response?.packet ?? 0 }

    /// When that packet was captured.
    public var time: Timestamp { request?.time ?? response?.time ?? Timestamp(nanoseconds: 0) }

    /// The ticket that the answer brings; `nil` for another answer.
    public var reply: KDCReply? { response?.message?.reply }

    /// The refusal; `nil` for another answer.
    public var error: KRBError? { response?.message?.error }

    /// Whether the client asks with its own key (AS-REQ), not with a ticket (TGS-REQ); `nil` where the capture does not show it.
    public var isInitial: Bool? {
        if let type = request?.message?.request?.msgType { return type == 10 }
        return reply.map { $0.msgType == 11 }
    }

    /// The user; `nil` where neither message names one.
    public var cname: PrincipalName? { request?.message?.request?.cname ?? reply?.cname ?? error?.cname }

    /// The service that a ticket is asked for; `nil` where neither message names one.
    public var sname: PrincipalName? { request?.message?.request?.sname ?? reply?.ticket.sname ?? error?.sname }

    /// The realm that is asked; `nil` where neither message could be read.
    public var realm: String? { request?.message?.request?.realm ?? reply?.ticket.realm ?? error?.realm }

    /// The encryption types that the client offers, in order of preference.
    public var etypes: [EncryptionType] { request?.message?.request?.etypes ?? [] }

    /// `alice@CORP.EXAMPLE`; `nil` where no user is named.
    public var clientPrincipal: String? {
        guard let cname else { return nil }
        let realm = isInitial == false ? reply?.crealm ?? error?.crealm ?? realm : reply?.crealm ?? realm
        return cname.text + (realm.map { "@\($0)" } ?? "")
    }
}
