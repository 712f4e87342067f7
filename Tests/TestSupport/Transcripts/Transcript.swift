/// A short written conversation that can be turned into a capture.
///
///     connection 1
///     > GET /app
///       Authorization: NTLM {NEGOTIATE_MESSAGE}
///     < 401
///       WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
///     > ↓GET /app
///       Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
///     < 200
///       body 120
///
/// A line at the margin is a step, an indented one belongs to the message above it; blank lines and those that start with
/// `#` mean nothing. A `↓` before a step marks the packet where a finding lands: after `>` or `<` the one that completes the
/// message's head, before `connection` the SYN, before `closed by` the first FIN, before `reset by` the RST, after `kdc >` or
/// `kdc <` the datagram.
///
/// | step | meaning |
/// |---|---|
/// | `connection 1` | a new connection with its handshake, or back to an earlier one |
/// | … `from 192.0.2.10`, `to 198.51.100.20:80` | its ends; the client's port counts up from 50101 |
/// | … `without start` | its handshake was before the capture |
/// | … `refused`, `unanswered` | the SYN is met with RST, or with nothing |
/// | … `by MyApp/650` | its process on the client's machine; the capture is one of a packet tap then (LINKTYPE_PKTAP) |
/// | … `by com.apple.WebKit/700 for MyApp/650` | … and the one on whose behalf it acts |
/// | … `over raw` | its packets come from a second interface, without link headers; the capture must be pcapng then |
/// | … `over tls`, `over tls1.3` | in TLS without encryption, with a certificate of `intranet.example`; no key log is needed |
/// | … `with client certificate` | … in which the client is asked for a certificate, and sends one |
/// | … `with post-handshake authentication` | … in which the client can be asked for one afterwards (TLS 1.3) |
/// | … `over http2` | in HTTP/2, with prior knowledge where it is not over TLS |
/// | … `only client`, `only server` | packets of the other side are not captured |
/// | `> GET /app`, `< 401` | a request, a response, in one packet; version, reason and usual fields are added |
/// | `> raw 160301…`, `> body 120` | bytes as they are; more bytes of the message before |
/// | `< tls HelloRequest`, `> tls no_renegotiation` | in TLS 1.2: a message, an alert, in a record of its own |
/// | `handshake` | in TLS 1.2: another handshake on the connection, in which the client sends a certificate |
/// | `lost >`, `lost <` | the next message of that side is not captured |
/// | `wait 12 s` | time passes, instead of the usual 10 ms; also `ms`, `min`, `h` |
/// | `closed by client`, `half closed by server`, `reset by server` | FIN both ways, FIN one way, RST |
/// | `kdc > AS-REQ client=alice`, `kdc < KRB-ERROR code=24` | a datagram to a key distribution center, 198.51.100.88, and back |
/// | … `> hex 6a82…` | a recorded message |
/// | … `from 192.0.2.11 > AS-REQ` | from another client; each question has a port of its own, counted up from 52001 |
/// | `password of alice secret` | what the user of the program believes right; it leaves no packet |
/// | `end wait 30 s` | the capture goes on that long: its last packet is one that has nothing to do with the rest |
///
/// | in a message | meaning |
/// |---|---|
/// | `Name: value` | a field; `{…}` in it stands for a token in base64 |
/// | `-Name` | this usual field is left out |
/// | `body 120`, `body "text"` | a body, and Content-Length; in chunks where Transfer-Encoding: chunked is among the fields |
/// | `body 120 until close` | a body without Content-Length |
/// | `body {KDC-PROXY AS-REQ client=alice}` | the bytes of a token as the body; a message to a KDC proxy, or from one |
///
/// | token | options and their usual values |
/// |---|---|
/// | `NEGOTIATE_MESSAGE` | `domain=`, `workstation=`: none |
/// | `CHALLENGE_MESSAGE` | `domain=CORP`, `computer=WEB03`, `dns-domain=`, `dns-computer=`, `challenge=`hex, `timestamp=no`, `target-info=no`, `type=server` |
/// | `AUTHENTICATE_MESSAGE` | `user=alice`, `domain=` as challenged, `workstation=IPHONE`, `response=NTLMv2` or `NTLMv1`, `NTLM2-session`, `LM`, `none` |
/// | … | `password=`secret for an NTLMv2 response that is computed; `mic=wrong` then for a MIC that does not fit |
/// | … | `mic=` yes where the challenge has a time stamp, `proof=`hex, `target=HTTP/intranet.example` or `no`, `channel-binding=zero`, `no` or hex |
/// | … | `late=`seconds behind the start of the capture, `pairs=no` for none of the server's, `blob-gap=`zero bytes before them |
/// | `AUTHENTICATE_MESSAGE anonymous` | |
/// | `SPNEGO init` | `mech=NTLM`, or names with commas: `Kerberos`, `MS-Kerberos`, `NegoEx`; `token={…}`, `optimistic=no` |
/// | `SPNEGO resp` | `state=accept-completed`, `accept-incomplete`, `reject`, `request-mic`; `mech=`, `token={…}`, `mic=`hex |
/// | `AP-REQ` | `service=HTTP/intranet.example`, `realm=CORP.EXAMPLE`, `etype=18`, `kvno=3`, `size=900` |
/// | `AP-REP`, `KRB-ERROR code=41` | `etype=18`; `service=`, `realm=`, `text=`, `client=`, `stime=20260105090000Z` |
/// | `AS-REQ`, `TGS-REQ` | behind `kdc >`: `client=alice`, `service=krbtgt/CORP.EXAMPLE`, `realm=CORP.EXAMPLE`, `etypes=18,17` |
/// | `AS-REP`, `TGS-REP` | behind `kdc <`: `client=alice`, `service=krbtgt/CORP.EXAMPLE`, `realm=CORP.EXAMPLE`, `etype=18` |
/// | `basic alice:secret`, `basic-latin1 …` | in UTF-8, in ISO 8859-1 |
/// | `jwt sub=alice exp=+3600` | other claims likewise; `alg=RS256`; a number with a sign counts from the start of the capture |
/// | `bytes 24`, `hex 4E54…` | |
///
/// NTLM messages also take `flags=0x…`, and all but `basic` and `jwt` take `cut=20`, which keeps the first 20 bytes. Made-up
/// bytes are the same each time, and differ with the user, the domain and the message that they stand in.
public struct Transcript: Hashable, Sendable {
    /// One side of a connection.
    public enum Side: Hashable, Sendable {
        /// The side that opens the connection.
        case client
        /// The side that is connected to.
        case server

        /// The other side.
        public var other: Side { self == .client ? .server : .client }
    }

    /// What one `>` or `<` line sends.
    public struct Message: Hashable, Sendable {
        /// The connection's number in the transcript.
        public let connection: Int

        /// Who sends it.
        public let side: Side

        /// All its bytes.
        public let bytes: [UInt8]

        /// How many of the bytes are start line and fields, the empty line included; all of them where it has no head.
        public let headLength: Int

        /// Whether a `↓` stands before it.
        public let isMarked: Bool

        /// Whether it is missing from the capture.
        public let isLost: Bool

        /// The content type of its records, where it is in TLS.
        let contentType: UInt8
    }

    /// The time of the first packet: 2026-01-05 09:00:00 UTC, in seconds since 1970-01-01.
    public static let startSeconds = 1_767_603_600

    /// The transcript as written.
    public let text: String

    /// What the user of the program believes right.
    public let passwords: [Password]

    /// A user's password.
    public struct Password: Hashable, Sendable {
        /// The user.
        public let user: String

        /// The password.
        public let text: String
    }

    let steps: [TranscriptStep]

    /// Reads a transcript; throws at the first line that means nothing.
    public init(_ text: String) throws(TranscriptError) {
        var parser = TranscriptParser()
        self.text = text
        steps = try parser.parse(text)
        passwords = parser.passwords
    }

    /// The messages in the order in which they are sent, lost ones included.
    public var messages: [Message] {
        steps.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    /// The capture of the conversation.
    public func capture(_ style: CaptureStyle = .plain) -> GeneratedCapture {
        var writer = ConversationWriter(style: style)
        for step in steps { writer.write(step) }
        return writer.finish()
    }

    /// The bytes of a token in the notation of transcripts, braces left out: `AUTHENTICATE_MESSAGE user=alice`.
    public static func token(_ expression: String) throws(TranscriptError) -> [UInt8] {
        var encoder = TokenEncoder()
        return try encoder.bytes(of: TokenExpression(expression, line: 1))
    }
}

/// How a connection begins.
struct TranscriptOpening: Hashable, Sendable {
    enum Handshake: Hashable, Sendable { case complete, beforeCapture, refused, unanswered }

    var number: Int
    var client: HostEndpoint
    var server: HostEndpoint
    var handshake = Handshake.complete
    /// The side whose packets alone are captured; `nil` for both.
    var onlySide: Transcript.Side?
    var isMarked = false
    /// The client's process, where the capture names it.
    var process: TranscriptProcess?
    /// Whether its packets come from the interface without link headers.
    var isRaw = false
    /// Whether it begins with a TLS handshake, and all messages are in TLS records.
    var isTLS = false
    var tls = PlainTLS.Options()
    /// Whether its messages are in frames of HTTP/2.
    var isHTTP2 = false
}

/// A process, and the one on whose behalf it acts.
struct TranscriptProcess: Hashable, Sendable {
    struct Identity: Hashable, Sendable {
        var name: String
        var id: Int32
    }

    var own: Identity
    var effective: Identity?
}

/// How a connection ends.
enum TranscriptClosing: Hashable, Sendable { case close, halfClose, reset }

/// One line of a transcript, with what belongs to it.
enum TranscriptStep: Hashable, Sendable {
    case open(TranscriptOpening)
    case message(Transcript.Message)
    /// Nanoseconds until the next packet.
    case wait(Int64)
    /// Another TLS handshake.
    case handshake(connection: Int)
    case end(connection: Int, TranscriptClosing, by: Transcript.Side, isMarked: Bool)
    case datagram(TranscriptDatagram)
    /// Nanoseconds until the capture's last packet.
    case endWait(Int64)
}

/// A datagram between a client and a key distribution center.
struct TranscriptDatagram: Hashable, Sendable {
    var source: HostEndpoint
    var destination: HostEndpoint
    var payload: [UInt8]
    var isMarked: Bool
}
