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
        guard let bindings, bindings.contains(where: { $0 != 0 }), let due else { return nil }
        if bindings == due { return Proof(.channelBindings, .right) }
        let details = [SchemeField("sent", .bytes(bindings)), SchemeField("due", .bytes(due))]
        return Proof(.channelBindings, .wrong, details: details)
    }
}
