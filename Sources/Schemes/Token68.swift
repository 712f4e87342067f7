public import AuthScanBytes

/// The one opaque value that some schemes carry instead of auth-params.
///
///     token68 = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="
///
/// - Source: RFC 9110 §11.2.
public struct Token68: Hashable, Sendable {
    /// The token as on the wire.
    public let text: Secret<String>

    /// Where it starts, in bytes from the start of the field value.
    public let offset: Int

    /// Its length, in bytes.
    public var byteCount: Int { text.byteCount }

    /// The token's bytes, where it is base64; computed at each call.
    ///
    /// Error offsets count from the token's start.
    ///
    /// - Source: RFC 4648 §4.
    public var decoded: Result<Secret<[UInt8]>, DecodeError> {
        text.withRevealed { text in
            do throws(DecodeError) {
                return .success(Secret(try Base64.decode(Array(text.utf8)[...])))
            } catch {
                return .failure(error)
            }
        }
    }
}
