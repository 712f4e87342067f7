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

    init(
        _ http: borrowing HTTPTransaction,
        credentials: FieldName,
        challenges: FieldName,
        target: Challenge.Target
    ) {
        let answers = http.request?.fields.values(of: credentials) ?? []
        let questions = http.response?.fields.values(of: challenges) ?? []
        guard !answers.isEmpty || !questions.isEmpty else {
            content = nil
            return
        }
        content = Content(
            credentials: answers.map { ChallengeParser.parseCredentials($0) },
            challenges: questions.flatMap { ChallengeParser.parseChallenges($0, target: target) }
        )
    }

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
