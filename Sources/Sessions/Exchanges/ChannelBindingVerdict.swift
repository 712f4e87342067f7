public import AuthScanSchemes
import AuthScanWire

/// What the channel bindings of a message are, held against the certificate of the TLS connection that carried it; the raw
/// value is the `channelBinding` of the JSON report.
///
/// - Source: MS-NLMP 2.2.2.1 (MsvAvChannelBindings); RFC 5929 §4.1 (tls-server-end-point).
public enum ChannelBindingVerdict: String, Hashable, Sendable {
    /// They are those of the certificate that the server shows.
    case right
    /// The client states that it has none.
    case zero
    /// The message says nothing of them.
    case absent
    /// They are those of another certificate: somebody in between ends TLS.
    case otherCertificate

    /// Compares; `nil` where there is something to compare, and nothing to compare it with.
    ///
    /// - Parameters:
    ///   - bindings: What the message has.
    ///   - due: What the server's certificate makes of them; `nil` where that is not known.
    public init?(_ bindings: ChannelBindings, due: [UInt8]?) {
        switch bindings {
        case .absent: self = .absent
        case .zero: self = .zero
        case .present(let hash):
            guard let due else { return nil }
            self = hash == due ? .right : .otherCertificate
        }
    }
}

extension AuthenticationExchange {
    /// Holds an AUTHENTICATE_MESSAGE against the TLS connection that carried it; `nil` where there was none.
    static func channelBinding(
        of authenticate: (message: AuthenticateMessage, leg: Leg)?,
        over tls: [TLSConnection]
    ) -> ChannelBindingVerdict? {
        guard let (message, leg) = authenticate, let connection = tls.carrying(leg.transaction) else { return nil }
        return ChannelBindingVerdict(message.channelBindings, due: connection.serverCertificate?.channelBindings)
    }
}
