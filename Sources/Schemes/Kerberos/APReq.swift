/// The client's ticket, and its proof that it may use it.
///
///     AP-REQ ::= [APPLICATION 14] SEQUENCE { pvno [0], msg-type [1], ap-options [2], ticket [3], authenticator [4] }
///
/// - Source: RFC 4120 §5.5.1.
public struct APReq: Hashable, Sendable {
    /// The mechanism of the GSS-API framing; `nil` where the message has none.
    public let thisMech: MechanismType?
    /// The protocol version: 5.
    public let pvno: Int
    /// The message type: 14.
    public let msgType: Int
    /// The options as on the wire, bit 0 of the BIT STRING first (0x8000_0000).
    public let apOptions: UInt32
    /// The ticket for the service.
    public let ticket: Ticket
    /// The client's proof, encrypted under the ticket's session key.
    public let authenticator: EncryptedPart

    /// Whether the ticket is encrypted in the session key of the server's own ticket.
    public var usesSessionKey: Bool { apOptions & 0x4000_0000 != 0 }
    /// Whether the client wants the server to prove itself.
    public var requiresMutual: Bool { apOptions & 0x2000_0000 != 0 }

    /// The names of the options that are set.
    public var apOptionNames: [String] {
        (usesSessionKey ? ["use-session-key"] : []) + (requiresMutual ? ["mutual-required"] : [])
    }
}

/// The server's proof to the client.
///
///     AP-REP ::= [APPLICATION 15] SEQUENCE { pvno [0], msg-type [1], enc-part [2] }
///
/// - Source: RFC 4120 §5.5.2.
public struct APRep: Hashable, Sendable {
    /// The mechanism of the GSS-API framing; `nil` where the message has none.
    public let thisMech: MechanismType?
    /// The protocol version: 5.
    public let pvno: Int
    /// The message type: 15.
    public let msgType: Int
    /// The proof, encrypted under the ticket's session key.
    public let encPart: EncryptedPart
}
