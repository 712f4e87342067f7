/// One HTTP request whose head was captured.
public struct HTTPRequest: Sendable {
    private let stored: StoredRequest
    /// The fields that the analysis looks at.
    public let fields: FieldLines

    /// A request as it was kept, whose fields lie in one of the buffers.
    init(_ stored: StoredRequest, in buffers: [[UInt8]]) {
        self.stored = stored
        fields = FieldLines(stored.fields, in: buffers)
    }

    /// Where it lies in the capture.
    public var evidence: MessageEvidence { stored.evidence }

    /// Whether the head was captured whole: no gap, no cut packet, no limit inside it.
    public var isHeadComplete: Bool { stored.isHeadComplete }

    /// Whether the body was captured whole, or its end could be found.
    public var isBodyComplete: Bool { stored.isBodyComplete }

    /// The method, as on the wire.
    public var method: String { stored.method.isEmpty ? fields.text(of: .requestMethod) ?? "" : stored.method.text }

    /// The request target, as on the wire, in any of its four forms.
    ///
    /// - Source: RFC 9112 §3.2.
    public var target: String { fields.text(of: .requestTarget) ?? "" }

    /// The bytes of the request target.
    public var targetBytes: ArraySlice<UInt8> { fields.first(.requestTarget) ?? [] }

    /// The protocol version as on the wire: `HTTP/1.1`, `HTTP/1.0` and so on.
    public var version: String { stored.version.text }

    /// How many bytes of body were seen, transfer coding included.
    public var bodyBytes: Int { stored.bodyBytes }

    /// Whether it asks for a tunnel.
    ///
    /// - Source: RFC 9110 §9.3.6.
    public var isConnect: Bool { stored.isConnect }

    /// Whether its method is POST.
    public var isPost: Bool { stored.isPost }
}
