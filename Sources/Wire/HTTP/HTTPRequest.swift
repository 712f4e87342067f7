/// One HTTP request whose head was captured.
///
/// The small parts stand where larger ones leave room: a capture may hold hundreds of thousands of requests.
public struct HTTPRequest: Sendable {
    private enum Kind: Sendable { case connect, post, other }

    /// Where it lies in the capture.
    public internal(set) var evidence: MessageEvidence

    /// What is asked of the method again and again.
    private let kind: Kind

    /// Whether the head was captured whole: no gap, no cut packet, no limit inside it.
    public let isHeadComplete: Bool

    /// Whether its first User-Agent is not empty.
    let isUserAgentNamed: Bool

    /// Whether the body was captured whole, or its end could be found.
    public internal(set) var isBodyComplete = false

    let storedMethod: ShortName

    /// The method, as on the wire.
    public var method: String { storedMethod.isEmpty ? fields.text(of: .requestMethod) ?? "" : storedMethod.text }

    /// The request target, as on the wire, in any of its four forms.
    ///
    /// - Source: RFC 9112 §3.2.
    public var target: String { fields.text(of: .requestTarget) ?? "" }

    /// The bytes of the request target.
    public var targetBytes: ArraySlice<UInt8> { fields.first(.requestTarget) ?? [] }

    private let storedVersion: ShortName

    /// The protocol version as on the wire: `HTTP/1.1`, `HTTP/1.0` and so on.
    public var version: String { storedVersion.text }

    /// How many bytes of body were seen, transfer coding included.
    public internal(set) var bodyBytes = 0

    /// The fields that the analysis looks at.
    public internal(set) var fields: FieldLines

    /// A request whose head was read.
    init(_ head: borrowing MessageHead, _ evidence: MessageEvidence, version: ShortName, isHeadComplete: Bool) {
        self.evidence = evidence
        storedMethod = head.method
        kind = head.method == .connect ? .connect : head.method == .post ? .post : .other
        storedVersion = version
        fields = head.fields
        self.isHeadComplete = isHeadComplete
        isUserAgentNamed = head.isUserAgentNamed ?? false
    }
}

extension HTTPRequest {
    /// Whether it asks for a tunnel.
    ///
    /// - Source: RFC 9110 §9.3.6.
    public var isConnect: Bool { kind == .connect }

    /// Whether its method is POST.
    public var isPost: Bool { kind == .post }
}
