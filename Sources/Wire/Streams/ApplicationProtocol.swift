/// What a connection carried, as recognised by its content; the raw value is the `protocol` of the JSON report.
public enum ApplicationProtocol: String, Sendable {
    /// HTTP/1.1.
    case http11 = "HTTP/1.1"
    /// HTTP/1.0.
    case http10 = "HTTP/1.0"
    /// HTTP/2, recognised by its connection preface, or by its frames where the start was not captured.
    case http2 = "HTTP/2"
    /// TLS records, not decrypted.
    case tls = "TLS"
    /// HTTP that switched to the WebSocket protocol.
    case webSocket = "WebSocket"
    /// Messages to and from a Kerberos key distribution center.
    case kerberos = "Kerberos"
    /// Anything else, or no payload at all.
    case other
}
