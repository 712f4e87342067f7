public import AuthScanBytes

/// One message to or from a key distribution center, as it was captured.
///
/// - Source: RFC 4120 §7.2; MS-KKDCP §2.2.2.
public struct KDCRecord: Sendable {
    /// The end that asks.
    public let client: Endpoint

    /// The end with the port of a key distribution center.
    public let server: Endpoint

    /// Whether the client sent it.
    public let isFromClient: Bool

    /// Whether it is the body of an HTTP message to or from a KDC proxy: a KDC-PROXY-MESSAGE around the message.
    public let isProxied: Bool

    /// The number of the TCP connection that carried it; `nil` for a datagram.
    public let connection: Int?

    /// The packet that completed it, counted from 1.
    public let packet: Int

    /// When that packet was captured.
    public let time: Timestamp

    /// The message without the length that precedes it in a stream; from a proxy, the body as it is.
    public let bytes: Secret<[UInt8]>

    /// How many bytes of it the capture lacks at its end.
    public let missingBytes: Int
}
