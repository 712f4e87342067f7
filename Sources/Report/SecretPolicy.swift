import AuthScanBytes
import AuthScanSchemes

/// Whether secrets are shown; the one place that reveals them.
public enum SecretPolicy: Sendable {
    /// Each secret is replaced by a word that states its size.
    case redact
    /// The user asked for them (`--show-secrets`).
    case show

    func text(_ secret: Secret<String>) -> String {
        self == .show ? secret.withRevealed { $0 } : secret.description
    }

    /// Bytes in lower-case hex.
    func hex(_ secret: Secret<[UInt8]>) -> String {
        self == .show ? secret.withRevealed { Hex.encode($0) } : secret.description
    }

    /// A URI, or any text that may be one, without what proves or grants something by itself.
    func uri(_ reference: String) -> String { self == .show ? reference : URISecrets.redacted(reference) }

    /// A request target likewise, in any of its four forms.
    func target(_ target: String) -> String { self == .show ? target : URISecrets.redacted(target: target) }

    /// Text that is a secret by its place.
    func text(_ plain: String) -> String { text(Secret(plain)) }
}
