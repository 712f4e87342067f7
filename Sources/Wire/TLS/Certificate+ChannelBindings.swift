import AuthScanNativeCodecs

extension Certificate {
    /// MD5 over the channel bindings of a connection whose server shows this certificate: 16 bytes, as NTLM and Kerberos
    /// put them into their messages; `nil` where the certificate's signature names no hash function.
    ///
    ///     gss_channel_bindings_struct = four zero words, then the length (little-endian) and the application data
    ///     application data            = "tls-server-end-point:" hash of the certificate
    ///
    /// - Source: MS-NLMP 2.2.2.1 (MsvAvChannelBindings); RFC 4121 §4.1.1.2; RFC 5929 §4.1.
    public var channelBindings: [UInt8]? {
        guard let serverEndPoint else { return nil }
        let data = Array("tls-server-end-point:".utf8) + serverEndPoint
        let length = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (8 * $0)) }
        return HashFunction.md5.digest(of: [UInt8](repeating: 0, count: 16) + length + data)
    }
}
