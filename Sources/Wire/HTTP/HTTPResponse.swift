/// One final HTTP response whose head was captured.
///
/// The small parts stand where larger ones leave room, as in `HTTPRequest`.
public struct HTTPResponse: Sendable {
    /// Where it lies in the capture.
    public internal(set) var evidence: MessageEvidence

    private let storedStatus: UInt16

    /// The status code, 200 to 999 (or 101, which is final as well).
    public var status: Int { Int(storedStatus) }

    /// Whether the head was captured whole: no gap, no cut packet, no limit inside it.
    public let isHeadComplete: Bool

    /// Whether the body was captured whole, or its end could be found.
    public internal(set) var isBodyComplete = false

    private let storedVersion: ShortName

    /// The protocol version as on the wire: `HTTP/1.1`, `HTTP/1.0` and so on.
    public var version: String { storedVersion.text }

    /// How many bytes of body were seen, transfer coding included.
    public internal(set) var bodyBytes = 0

    /// The fields that the analysis looks at.
    public internal(set) var fields: FieldLines

    /// What its page says of the client's certificate; `nil` where it says nothing, is compressed, or came without TLS.
    public internal(set) var certificateNotice: CertificateNotice?

    /// A response whose head was read.
    init(_ head: borrowing MessageHead, _ evidence: MessageEvidence, version: ShortName, isHeadComplete: Bool) {
        self.evidence = evidence
        storedStatus = UInt16(clamping: head.status)
        storedVersion = version
        fields = head.fields
        certificateNotice = head.certificateNotice
        self.isHeadComplete = isHeadComplete
    }
}
