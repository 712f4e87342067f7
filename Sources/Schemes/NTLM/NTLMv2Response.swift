public import AuthScanBytes

/// The NtChallengeResponse of NTLMv2: a proof, and the client challenge it covers.
///
///     0  NTProofStr (16)           24 TimeStamp (8)              44 AvPairs
///     16 RespType 1, HiRespType 1  32 ChallengeFromClient (8)    then usually four zero bytes
///     18 Reserved1 (2)             40 Reserved3 (4)
///     20 Reserved2 (4)
///
/// - Source: MS-NLMP 2.2.2.7 (NTLMv2_CLIENT_CHALLENGE), 2.2.2.8 (NTLMv2_RESPONSE).
public struct NTLMv2Response: Hashable, Sendable {
    /// The proof: HMAC-MD5 over the server's challenge and all that follows.
    public let ntProofStr: Secret<[UInt8]>
    /// The response's version: 1.
    public let respType: UInt8
    /// The highest version the client understands: 1.
    public let hiRespType: UInt8
    /// Two bytes that must be zero.
    public let reserved1: UInt16
    /// Four bytes that must be zero.
    public let reserved2: UInt32
    /// When the client answered, in 100-nanosecond ticks since 1601-01-01 UTC.
    public let timestampTicks: UInt64
    /// The client's nonce: eight bytes, in wire order.
    public let challengeFromClient: [UInt8]
    /// Four bytes that must be zero.
    public let reserved3: UInt32
    /// The server's AV pairs with the client's own, in wire order and without the final MsvAvEOL.
    public let avPairs: [AVPair]
    /// The bytes after MsvAvEOL: usually four zero bytes.
    public let trailing: [UInt8]
}

/// The LmChallengeResponse of NTLMv2: a proof, and the client's nonce.
///
/// - Source: MS-NLMP 2.2.2.4 (LMv2_RESPONSE).
public struct LMv2Response: Hashable, Sendable {
    /// The proof: HMAC-MD5 over both challenges.
    public let response: Secret<[UInt8]>
    /// The client's nonce: eight bytes, in wire order.
    public let challengeFromClient: [UInt8]
}
