import AuthScanWire

extension Transaction {
    /// The host that the response redirects to in an absolute Location; `nil` where it does not redirect, or stays.
    ///
    /// - Source: RFC 9110 §10.2.2.
    public var redirectHost: String? {
        guard let status, (300..<400).contains(status), let location = response?.fields.text(of: .location) else {
            return nil
        }
        return Origin(absoluteForm: location)?.host
    }

    /// Whether a network's login page may have answered in the server's place: 511, or a redirect of a named host to a
    /// private address.
    ///
    /// - Source: RFC 6585 §6; RFC 1918 §3.
    public var isPortalAnswer: Bool {
        if status == 511 { return true }
        guard let status, (300..<400).contains(status), !isSecure, !origin.isAddress, let host = redirectHost else {
            return false
        }
        return Transaction.isPrivateAddress(host)
    }

    private static func isPrivateAddress(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4, let first = parts[0], let second = parts[1], parts[2] != nil, parts[3] != nil else {
            return false
        }
        return first == 10 || (first == 172 && (16...31).contains(second)) || (first == 192 && second == 168)
    }
}
