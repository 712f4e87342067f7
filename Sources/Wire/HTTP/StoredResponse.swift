/// What is kept of a final response, in plain memory; see `HTTPResponse`.
///
/// The small parts stand where larger ones leave room, as in `StoredRequest`.
struct StoredResponse: Sendable {
    var evidence: MessageEvidence

    private let storedStatus: UInt16

    var status: Int { Int(storedStatus) }

    let isHeadComplete: Bool

    var isBodyComplete = false

    let version: ShortName

    var bodyBytes = 0

    let fields: FieldPlace

    var certificateNotice: CertificateNotice?

    /// A response whose head was read.
    init(_ head: MessageHead, _ evidence: MessageEvidence, version: ShortName, isHeadComplete: Bool) {
        self.evidence = evidence
        storedStatus = UInt16(clamping: head.status)
        self.version = version
        fields = head.fields
        certificateNotice = head.certificateNotice
        self.isHeadComplete = isHeadComplete
    }
}
