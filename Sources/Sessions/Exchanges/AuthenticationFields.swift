public import AuthScanSchemes
import AuthScanWire

/// The credentials that a request brought and the challenges that its response brought.
public struct AuthenticationFields: Sendable {
    private final class Content: Sendable {
        let credentials: [Credentials]
        let challenges: [Challenge]

        init(credentials: [Credentials], challenges: [Challenge]) {
            self.credentials = credentials
            self.challenges = challenges
        }
    }

    /// `nil` where there are neither: so it is with nearly every transaction towards a proxy.
    private let content: Content?

    /// Decodes the field lines of a transaction towards one of the two.
    init(_ captured: [HTTPTransaction], _ index: Int, target: AuthenticationTarget) {
        let isProxy = target == .proxy
        let credentials = captured.requestValues(index, of: isProxy ? .proxyAuthorization : .authorization)
        let challenges = captured.responseValues(index, of: isProxy ? .proxyAuthenticate : .wwwAuthenticate)
        guard !credentials.isEmpty || !challenges.isEmpty else {
            content = nil
            return
        }
        content = Content(
            credentials: credentials.map { ChallengeParser.parseCredentials($0) },
            challenges: challenges.flatMap { ChallengeParser.parseChallenges($0, target: isProxy ? .proxy : .origin) }
        )
    }

    /// Whether there are neither credentials nor challenges.
    var isEmpty: Bool { content == nil }

    /// What `Authorization` or `Proxy-Authorization` held, one element a field line.
    public var credentials: [Credentials] { content?.credentials ?? [] }

    /// What `WWW-Authenticate` or `Proxy-Authenticate` offered, in wire order over all field lines.
    public var challenges: [Challenge] { content?.challenges ?? [] }

    /// The realm of the first challenge that names one.
    public var realm: String? { challenges.lazy.compactMap(\.realm).first }

    /// The offered schemes in wire order, each once.
    public var schemes: [AuthenticationScheme] {
        challenges.reduce(into: []) { schemes, challenge in
            if !schemes.contains(challenge.scheme) { schemes.append(challenge.scheme) }
        }
    }
}
