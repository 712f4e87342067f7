import AuthScanBytes
import AuthScanNativeCodecs
import AuthScanSchemes

/// Recomputes a Digest response.
///
///     response = H( H(A1) ":" nonce ":" nc ":" cnonce ":" qop ":" H(A2) ),   without qop H( H(A1) ":" nonce ":" H(A2) )
///     A1 = user ":" realm ":" password,   with -sess H(A1) ":" nonce ":" cnonce
///     A2 = method ":" uri,   with auth-int and ":" H(body)
///
/// - Source: RFC 7616 §3.4.1 to §3.4.3.
struct DigestComputation {
    let credentials: DigestCredentials
    let hash: HashFunction
    let isSession: Bool

    /// Prepares a computation; `nil` for an algorithm that is not registered.
    init?(_ credentials: DigestCredentials) {
        switch credentials.effectiveAlgorithm.hash {
        case .md5: hash = .md5
        case .sha256: hash = .sha256
        case .sha512Truncated256: hash = .sha512Truncated256
        case nil: return nil
        }
        self.credentials = credentials
        isSession = credentials.effectiveAlgorithm.isSession
    }

    /// The hash of user, realm and password, each as bytes in one charset.
    func secret(user: [UInt8], password: [UInt8]) -> [UInt8] {
        digits(user + colon + Array((credentials.realm ?? "").utf8) + colon + password)
    }

    /// The response; a method that is empty gives the server's `rspauth`.
    func response(secret: [UInt8], method: String, uri: String, body: [UInt8]?, asSession: Bool? = nil) -> [UInt8] {
        let nonce = Array((credentials.nonce ?? "").utf8)
        let cnonce = Array((credentials.cnonce ?? "").utf8)
        let first = asSession ?? isSession ? digits(secret + colon + nonce + colon + cnonce) : secret
        var second = Array("\(method):\(uri)".utf8)
        if let body { second += colon + digits(body) }
        guard let qop = credentials.qop else { return digits(first + colon + nonce + colon + digits(second)) }
        let middle = Array("\(credentials.nc ?? ""):\(credentials.cnonce ?? ""):\(qop)".utf8)
        return digits(first + colon + nonce + colon + middle + colon + digits(second))
    }

    /// The hash that stands for a user's name where `userhash` is true.
    ///
    /// - Source: RFC 7616 §3.4.4.
    func userHash(_ user: String) -> [UInt8] {
        digits(Array(user.utf8) + colon + Array((credentials.realm ?? "").utf8))
    }

    private func digits(_ bytes: [UInt8]) -> [UInt8] { Array(Hex.encode(hash.digest(of: bytes)).utf8) }

    private var colon: [UInt8] { [UInt8(ascii: ":")] }
}
