import AuthScanNativeCodecs

/// What the page behind a refusal says of the client's certificate, which its status alone does not tell.
///
/// Servers say it in words only: Apache httpd, nginx and IIS each in its own.
public enum CertificateNotice: UInt8, Sendable {
    /// The server would ask for a certificate now, and the client has not offered to be asked after the handshake.
    case postHandshakeAuthentication
    /// A certificate is required, and there was none.
    case required
    /// The certificate is not accepted.
    case refused

    /// The words, the more specific ones first.
    private static let words: [(StaticString, CertificateNotice)] = [
        ("Cannot perform Post-Handshake Authentication", .postHandshakeAuthentication),
        ("No required SSL certificate was sent", .required), ("403.7 ", .required),
        ("The SSL certificate error", .refused), ("403.13 ", .refused), ("403.16 ", .refused), ("403.17 ", .refused),
    ]

    /// The statuses that such pages come with.
    static func isPossible(_ status: Int) -> Bool { status == 400 || status == 403 }

    /// How many bytes of a page are looked at.
    private static let reach = 4096

    /// Looks for the words at the start of a body.
    static func find(in body: RawSpan) -> CertificateNotice? {
        let page = body.extracting(0..<min(body.byteCount, reach))
        return words.first { page.contains($0.0) }?.1
    }
}

extension RawSpan {
    /// Whether a literal, which is not empty, lies somewhere inside.
    func contains(_ literal: StaticString) -> Bool {
        let first = literal.withBytes { $0.byte(0) }
        var position = 0
        while let start = firstIndex(of: first, from: position) {
            if holds(literal, at: start) { return true }
            position = start + 1
        }
        return false
    }
}
