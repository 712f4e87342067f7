/// One TLS connection, as far as the capture shows it: what was offered and chosen, who showed which certificate, what was refused.
///
/// A TCP connection may carry two, one inside the other: to a proxy, and through its tunnel to a server.
public struct TLSConnection: Sendable {
    /// How a client answers a request for its certificate.
    public enum ClientCertificate: String, Sendable {
        /// The server did not ask.
        case notRequested
        /// The server asked, and the client answered that it has none.
        case none
        /// The client sent one.
        case sent
    }

    /// How the keys of an earlier connection were used again.
    public enum Resumption: String, Sendable {
        /// By the session identifier that the server gave.
        case sessionID
        /// By a ticket (TLS 1.2 and older).
        case ticket
        /// By a pre-shared key (TLS 1.3).
        case preSharedKey
    }

    /// How far its protected records could be read.
    public enum Decryption: String, Sendable {
        /// There was nothing to decrypt.
        case notNeeded
        /// The key log has no secrets of it, or there is no key log.
        case noSecrets
        /// There are secrets, but they are not those of its records.
        case wrongSecrets
        /// The cipher suite or version is not one that is decrypted.
        case unsupported
        /// The capture lacks the part of the handshake that says which secrets are its own.
        case handshakeMissing
        /// Some of its records were decrypted.
        case partial
        /// All of its records were decrypted, but for such as hold nothing but the inside of a body.
        case complete
    }

    /// Another handshake on a connection that is protected already.
    ///
    /// - Source: RFC 5246 §7.4.1.1.
    public struct Renegotiation: Hashable, Sendable {
        /// The packet of its first message, counted from 1.
        public let packet: Int
        /// Who began it: a server by HelloRequest, a client by another ClientHello.
        public let from: Side
        /// When that packet was captured.
        public let time: Timestamp
        /// Whether the client had sent content before.
        public let isAfterRequest: Bool
        /// Whether the server sent content behind it.
        public internal(set) var isFollowedByContent = false
        /// The packet with which the second side proved that it has the new keys; `nil` where that was not seen.
        public internal(set) var finishedPacket: Int?
    }

    /// The number of the TCP connection that carries it.
    public let connection: Int

    /// The authority of the CONNECT tunnel that it lies in; `nil` outside a tunnel.
    public let tunnel: String?

    /// The packet of its first record, counted from 1.
    public let firstPacket: Int

    /// What the client offered, in its last hello; `nil` where the capture lacks it.
    public internal(set) var clientHello: ClientHello?

    /// The packet in which the server asked for another hello; `nil` where it did not.
    public internal(set) var helloRetryPacket: Int?

    /// The packet of the ServerHello; `nil` where none was seen.
    public internal(set) var serverHelloPacket: Int?

    /// Whether the server sent any record, be it readable or not, whole or cut.
    public internal(set) var hasServerRecords = false

    /// The version chosen; `nil` where no ServerHello was seen.
    public internal(set) var version: TLSVersion?

    /// The cipher suite chosen; `nil` where no ServerHello was seen.
    public internal(set) var cipherSuite: CipherSuite?

    /// The application protocol chosen (ALPN); `nil` where none was, or where the answer is encrypted.
    public internal(set) var applicationProtocol: String?

    /// How it goes on from an earlier connection; `nil` for a full handshake, and where that cannot be told.
    public internal(set) var resumption: Resumption?

    /// The server's certificates as sent, its own first; empty where they were not seen, or are encrypted.
    public internal(set) var serverCertificates: [Certificate] = []

    /// The packet that completed them.
    public internal(set) var serverCertificatePacket: Int?

    /// The server's latest wish for a certificate of the client; `nil` where none was seen.
    public internal(set) var certificateRequest: CertificateRequest?

    /// What the client answered; `nil` where it cannot be told, or where it did not answer.
    public internal(set) var clientCertificate: ClientCertificate?

    /// The client's certificates as sent, its own first.
    public internal(set) var clientCertificates: [Certificate] = []

    /// The packet with the client's Certificate message; `nil` where none was seen.
    public internal(set) var clientCertificatePacket: Int?

    /// Alerts in packet order.
    public internal(set) var alerts: [TLSAlert] = []

    /// The packet with which the second side proved that it has the keys; `nil` where that was not seen.
    public internal(set) var finishedPacket: Int?

    /// The packet with the client's first content; `nil` where none was seen.
    public internal(set) var firstRequestPacket: Int?

    /// Another handshake inside the connection (TLS 1.2 and older), the first of them; `nil` where there is none.
    public internal(set) var renegotiation: Renegotiation?

    /// How far its protected records could be read.
    public internal(set) var decryption = Decryption.notNeeded

    /// Whether all of its protected records were read.
    public var isDecrypted: Bool { decryption == .complete }

    /// The server's own certificate; `nil` where it was not seen.
    public var serverCertificate: Certificate? { serverCertificates.first }

    /// What is wrong with the server's certificate for the name that the client asks for, or else with the chain that it came
    /// with; `nil` where nothing is to be seen.
    public func serverCertificateFault(at time: Timestamp) -> Certificate.Fault? {
        guard let certificate = serverCertificate else { return nil }
        if let fault = certificate.fault(at: time, host: clientHello?.serverName) { return fault }
        return isIssuerMissing ? .issuerMissing(certificate.issuer) : nil
    }

    /// Whether the server's certificate came without that of its issuer, although it names a place where to fetch it.
    ///
    /// That it names none is the way of private authorities, whose root alone signs, and which clients have.
    private var isIssuerMissing: Bool {
        guard let own = serverCertificate, own.subject != own.issuer else { return false }
        let isSent = serverCertificates.dropFirst().contains { $0.subject == own.issuer }
        return !isSent && own.issuerAddresses.contains { $0.lowercased().hasPrefix("http") }
    }

    init(connection: Int, tunnel: String?, firstPacket: Int) {
        self.connection = connection
        self.tunnel = tunnel
        self.firstPacket = firstPacket
    }
}
