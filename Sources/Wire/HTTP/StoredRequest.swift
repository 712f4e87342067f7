/// What is kept of a request, in plain memory; see `HTTPRequest`.
///
/// The small parts stand where larger ones leave room: a capture may hold hundreds of thousands of requests.
struct StoredRequest: Sendable {
    private enum Kind: Sendable { case connect, post, other }

    var evidence: MessageEvidence

    /// What is asked of the method again and again.
    private let kind: Kind

    let isHeadComplete: Bool

    /// Whether its first User-Agent is not empty.
    let isUserAgentNamed: Bool

    var isBodyComplete = false

    /// Empty where it is too long, and among the fields.
    let method: ShortName

    let version: ShortName

    var bodyBytes = 0

    let fields: FieldPlace

    /// A request whose head was read.
    init(_ head: MessageHead, _ evidence: MessageEvidence, version: ShortName, isHeadComplete: Bool) {
        self.evidence = evidence
        method = head.method
        kind = head.method == .connect ? .connect : head.method == .post ? .post : .other
        self.version = version
        fields = head.fields
        self.isHeadComplete = isHeadComplete
        isUserAgentNamed = head.isUserAgentNamed ?? false
    }

    var isConnect: Bool { kind == .connect }

    var isPost: Bool { kind == .post }
}
