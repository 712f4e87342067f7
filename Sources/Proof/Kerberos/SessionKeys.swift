import AuthScanBytes
import AuthScanSchemes

/// The session keys that came to light, by the ticket that carries each to its service.
struct SessionKeys {
    /// A session key, and how it came to light.
    struct Entry {
        let key: SessionKey
        /// From where it was followed: `the password of alice@CORP.EXAMPLE, by the AS-REP in packet 4`.
        let origin: String
    }

    private var entries: [Secret<[UInt8]>: Entry] = [:]

    /// The session key of a ticket; `nil` where it is not known.
    subscript(ticket: Ticket) -> Entry? { entries[ticket.encPart.cipher] }

    /// Notes the session key of a ticket.
    mutating func note(_ key: SessionKey, of ticket: Ticket, origin: String) {
        entries[ticket.encPart.cipher] = Entry(key: key, origin: origin)
    }
}
