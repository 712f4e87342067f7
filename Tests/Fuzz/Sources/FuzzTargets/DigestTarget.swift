import AuthScanSchemes

extension FuzzTarget {
    /// Any text behind `Digest` gives a challenge and credentials whose problems lie inside the field value, and the count
    /// and the algorithm follow from their texts.
    public static let digest = FuzzTarget(name: "Digest") { input in
        let value = Array("Digest ".utf8) + input
        let credentials = ChallengeParser.parseCredentials(value[...])
        let challenges = ChallengeParser.parseChallenges(value[...])
        for problem in credentials.problems + challenges.flatMap(\.problems) {
            precondition((0...value.count).contains(problem.offset), "a problem lies outside the value")
        }
        if let digest = credentials.digest {
            precondition(digest.nonceCount == nil || digest.nc != nil, "a count without text")
            precondition(digest.userhash != true || digest.user == nil, "a hashed name is shown as a user")
            precondition(
                digest.effectiveAlgorithm.hash != nil || credentials.parameters["algorithm"] != nil,
                "an unknown algorithm without a name"
            )
        }
        for challenge in challenges { _ = challenge.details() }
        _ = ChallengeParser.parseAuthenticationInfo(input[...]).scram()
    }
}
