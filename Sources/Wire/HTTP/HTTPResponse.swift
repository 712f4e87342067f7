/// One final HTTP response whose head was captured.
public struct HTTPResponse: Sendable {
    private let stored: StoredResponse
    /// The fields that the analysis looks at.
    public let fields: FieldLines

    /// A response as it was kept, whose fields lie in one of the buffers.
    init(_ stored: StoredResponse, in buffers: [[UInt8]]) {
        self.stored = stored
        fields = FieldLines(stored.fields, in: buffers)
    }

    /// Where it lies in the capture.
    public var evidence: MessageEvidence { stored.evidence }

    /// The status code, 200 to 999 (or 101, which is final as well).
    public var status: Int { stored.status }

    /// Whether the head was captured whole: no gap, no cut packet, no limit inside it.
    public var isHeadComplete: Bool { stored.isHeadComplete }

    /// Whether the body was captured whole, or its end could be found.
    public var isBodyComplete: Bool { stored.isBodyComplete }

    /// The protocol version as on the wire: `HTTP/1.1`, `HTTP/1.0` and so on.
    public var version: String { stored.version.text }

    /// How many bytes of body were seen, transfer coding included.
    public var bodyBytes: Int { stored.bodyBytes }

    /// What its page says of the client's certificate; `nil` where it says nothing, is compressed, or came without TLS.
    public var certificateNotice: CertificateNotice? { stored.certificateNotice }
}
