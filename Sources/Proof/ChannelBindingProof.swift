import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions

/// Holds the channel bindings of a message against the certificate that its connection showed.
///
/// - Source: RFC 4121 §4.1.1.2; MS-NLMP 2.2.2.1 (MsvAvChannelBindings); RFC 5929 §4.1.
enum ChannelBindingProof {
    /// What the bindings prove; `nil` where there are none, or the connection shows no certificate.
    ///
    /// - Parameters:
    ///   - bindings: MD5 over the bindings; sixteen zero bytes stand for none.
    ///   - due: The same, made of the server's certificate.
    /// - Returns: Whether they are the same.
    static func proof(of bindings: [UInt8]?, due: [UInt8]?) -> Proof? {
        switch ChannelBindingVerdict(ChannelBindings(hash: bindings), due: due) {
        case .right: return Proof(.channelBindings, .right)
        case .otherCertificate:
            let bytes = [("sent", bindings), ("due", due)]
            let details = bytes.compactMap { name, value in value.map { SchemeField(name, .bytes($0)) } }
            return Proof(.channelBindings, .wrong, details: details)
        case .zero, .absent, nil: return nil
        }
    }
}
