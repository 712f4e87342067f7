/// One final HTTP response whose head was captured.
public struct HTTPResponse: Sendable {
    /// Where it lies in the capture.
    public var evidence: MessageEvidence

    /// The status code, 200 to 999 (or 101, which is final as well).
    public var status: Int

    private var storedVersion: VersionName

    /// The protocol version as on the wire: `HTTP/1.1`, `HTTP/1.0` and so on.
    public var version: String {
        get { storedVersion.text }
        set { storedVersion = VersionName(newValue) }
    }

    /// The fields that the analysis looks at.
    public var fields: FieldLines

    /// Whether the head was captured whole: no gap, no cut packet, no limit inside it.
    public var isHeadComplete: Bool

    /// Whether the body was captured whole, or its end could be found.
    public var isBodyComplete: Bool

    /// How many bytes of body were seen, transfer coding included.
    public var bodyBytes: Int

    /// What its page says of the client's certificate; `nil` where it says nothing, is compressed, or came without TLS.
    public internal(set) var certificateNotice: CertificateNotice?

    /// Creates a response.
    public init(
        evidence: MessageEvidence,
        status: Int,
        version: String,
        fields: FieldLines,
        isHeadComplete: Bool,
        isBodyComplete: Bool,
        bodyBytes: Int
    ) {
        self.evidence = evidence
        self.status = status
        storedVersion = VersionName(version)
        self.fields = fields
        self.isHeadComplete = isHeadComplete
        self.isBodyComplete = isBodyComplete
        self.bodyBytes = bodyBytes
    }
}
