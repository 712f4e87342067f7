import AuthScanSchemes

/// The credentials that were decoded last: nearly every client sends the same ones with every request, and one value serves all.
struct RecentCredentials {
    private var value: ArraySlice<UInt8> = []
    private var credentials: Credentials?

    /// The credentials of a field value.
    mutating func decode(_ value: ArraySlice<UInt8>) -> Credentials {
        if let credentials, value == self.value { return credentials }
        let decoded = ChallengeParser.parseCredentials(value)
        credentials = decoded
        self.value = value
        return decoded
    }
}
