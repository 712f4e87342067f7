import AuthScanSchemes

extension FuzzTarget {
    /// Any field value gives challenges and credentials whose problems lie inside the value.
    public static let challenge = FuzzTarget(name: "Challenge") { input in
        let value = input[...]
        let challenges = ChallengeParser.parseChallenges(value)
        let credentials = ChallengeParser.parseCredentials(value)
        precondition(challenges.count <= input.count, "more challenges than bytes")
        for problem in challenges.flatMap(\.problems) + credentials.problems {
            precondition((0...input.count).contains(problem.offset), "a problem lies outside the value")
        }
        precondition("\(challenges) \(credentials)".utf8.count < 1 << 24, "a description without bounds")
        _ = credentials.bearer?.jsonWebToken()
        _ = ChallengeParser.parseAuthenticationInfo(value)
    }
}
