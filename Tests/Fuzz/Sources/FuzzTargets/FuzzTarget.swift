/// A parser under test: what is done with one input, and what must hold.
///
/// A target traps when its invariant does not hold. The fuzzers run it on inputs they invent, the ordinary tests on the
/// inputs that are kept.
public struct FuzzTarget: Sendable {
    /// The name of the target's folders in `Seeds` and `FailCases`.
    public let name: String

    /// Runs the parser on one input.
    public let run: @Sendable (_ input: [UInt8]) -> Void

    /// Every target.
    public static let all = [
        captureReader, httpStream, challenge, ntlm, spnego, kerberos, digest, jwt, paste, report,
        tls, http2, certificate, keyLog,
    ]
}
