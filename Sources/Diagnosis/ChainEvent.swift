public import AuthScanSessions
import AuthScanWire

/// One thing that a client experienced in a chain: a resource it got, or a refusal that stood.
public struct ChainEvent: Sendable {
    /// What it was.
    public enum Kind: String, Sendable {
        /// A resource was delivered to an authenticated client.
        case accepted
        /// A complete credential was accepted, and the resource refused: 403, or a 401 with a finished negotiation.
        case forbidden
        /// A bare request was refused with 403 after an earlier success.
        case bareForbidden
        /// A complete credential was refused.
        case rejected
        /// The transport ended in the middle of an exchange.
        case broken
        /// The client stopped in the middle of an exchange.
        case abandoned
        /// A challenge was never answered, and the capture proves it.
        case unanswered
        /// A refusal carried no challenge.
        case noChallenge
        /// A CORS preflight was refused.
        case preflightRefused
        /// The capture does not show the end.
        case open
    }

    /// What it was.
    public let kind: Kind

    /// The transaction whose response, or lack of one, shows it.
    public let transaction: Transaction

    /// The index of its exchange in the chain; `nil` for a bare request.
    public let exchange: Int?

    /// The packet that shows it: the response where there is one, else the request.
    public var packet: Int { transaction.responsePacket ?? transaction.packet }
}
