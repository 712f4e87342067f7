/// One HTTP request whose head was captured.
public struct HTTPRequest: Sendable {
    /// Where it lies in the capture.
    public var evidence: MessageEvidence

    /// The method, as on the wire.
    public var method: String

    /// The request target, as on the wire, in any of its four forms.
    ///
    /// - Source: RFC 9112 §3.2.
    public var target: String

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

    /// Creates a request.
    public init(
        evidence: MessageEvidence,
        method: String,
        target: String,
        version: String,
        fields: FieldLines,
        isHeadComplete: Bool,
        isBodyComplete: Bool,
        bodyBytes: Int
    ) {
        self.evidence = evidence
        self.method = method
        self.target = target
        storedVersion = VersionName(version)
        self.fields = fields
        self.isHeadComplete = isHeadComplete
        self.isBodyComplete = isBodyComplete
        self.bodyBytes = bodyBytes
    }
}
