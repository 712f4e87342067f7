public import AuthScanBytes

/// The one opaque value that some schemes carry instead of auth-params.
///
///     token68 = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="
///
/// - Source: RFC 9110 §11.2.
public struct Token68: Hashable, Sendable {
    /// The token's octets, shared with the field value that it stands in.
    private let octets: Secret<ArraySlice<UInt8>>

    /// Where it starts, in bytes from the start of the field value.
    public let offset: Int

    /// A token at an offset of its field value.
    init(_ token: ArraySlice<UInt8>, offset: Int) {
        octets = Secret(token, byteCount: token.count)
        self.offset = offset
    }

    /// The token as on the wire.
    public var text: Secret<String> {
        octets.withRevealed { Secret(String(decoding: $0, as: UTF8.self), byteCount: $0.count) }
    }

    /// Its length, in bytes.
    public var byteCount: Int { octets.byteCount }

    /// The token's bytes, where it is base64; computed at each call.
    ///
    /// Error offsets count from the token's start.
    ///
    /// - Source: RFC 4648 §4.
    public var decoded: Result<Secret<[UInt8]>, DecodeError> {
        octets.withRevealed { octets in
            do throws(DecodeError) {
                return .success(Secret(try Base64.decode(octets)))
            } catch {
                return .failure(error)
            }
        }
    }
}
