import AuthScanSchemes

/// One way to write user and domain, with what it is called.
struct IdentitySpelling: Hashable, Sendable {
    let user: String
    let domain: String
    /// What differs from the names that were sent; `nil` for these themselves.
    let name: String?

    /// The ways in which servers and clients disagree about an NTLM user, the one that was sent first.
    ///
    /// NTLMv2 mixes the names into the proof: the user's in upper case, the domain's as it is. A server that takes another
    /// domain than the client, or a client that writes it otherwise, fails with the right password.
    /// - Source: MS-NLMP 3.3.2 (NTOWFv2).
    static func ntlm(_ message: AuthenticateMessage, _ challenge: ChallengeMessage?) -> [IdentitySpelling] {
        let (user, domain) = (message.user ?? "", message.domain ?? "")
        var list = SpellingList(user: NTLMKeys.uppercased(user), domain: domain)
        list.add(domain: NTLMKeys.uppercased(domain), "domain in upper case")
        list.add(domain: domain.lowercased(), "domain in lower case")
        list.add(domain: "", "empty domain")
        if let workstation = message.workstation { list.add(domain: workstation, "workstation name as domain") }
        list.addSplit(user)
        let sources: [(AVPair.ID, String)] = [
            (.nbDomainName, "the server's NetBIOS domain"), (.nbComputerName, "the server's NetBIOS name as domain"),
            (.dnsDomainName, "the server's DNS domain"), (.dnsComputerName, "the server's DNS name as domain"),
        ]
        for (id, name) in sources {
            guard let text = challenge?.targetInfo.text(of: id) ?? message.avPairs.text(of: id) else { continue }
            list.add(domain: text, name)
            list.add(domain: NTLMKeys.uppercased(text), "\(name) in upper case")
        }
        if let target = challenge?.targetName { list.add(domain: target, "the server's TargetName as domain") }
        list.add(user: user, domain: domain, "user not in upper case")
        return list.spellings
    }

    /// The ways to write a user whose name goes into the proof as it is, as with Digest.
    static func plain(_ user: String) -> [IdentitySpelling] {
        var list = SpellingList(user: user, domain: "")
        list.add(user: user.lowercased(), domain: "", "user in lower case")
        list.add(user: user.uppercased(), domain: "", "user in upper case")
        let slash = user.split(separator: "\\", maxSplits: 1, omittingEmptySubsequences: false)
        if slash.count == 2 { list.add(user: String(slash[1]), domain: "", "user without domain") }
        let at = user.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        if at.count == 2 { list.add(user: String(at[0]), domain: "", "user without what stands behind the @") }
        return list.spellings
    }
}

/// Gathers spellings, each once.
private struct SpellingList {
    private(set) var spellings: [IdentitySpelling]
    private var seen: Set<[String]>
    private let user: String
    private let domain: String

    init(user: String, domain: String) {
        self.user = user
        self.domain = domain
        spellings = [IdentitySpelling(user: user, domain: domain, name: nil)]
        seen = [[user, domain]]
    }

    mutating func add(domain: String, _ name: String) { add(user: user, domain: domain, name) }

    mutating func add(user: String, domain: String, _ name: String) {
        guard seen.insert([user, domain]).inserted else { return }
        spellings.append(IdentitySpelling(user: user, domain: domain, name: name))
    }

    /// `user@domain` and `DOMAIN\user` in the user's field alone, and a UPN put together of both fields.
    mutating func addSplit(_ original: String) {
        let at = original.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if at.count == 2 {
            add(user: NTLMKeys.uppercased(at[0]), domain: at[1], "UPN split into user and domain")
            add(user: NTLMKeys.uppercased(at[0]), domain: NTLMKeys.uppercased(at[1]), "UPN split, domain in upper case")
            add(user: NTLMKeys.uppercased(at[0]), domain: domain, "user without what stands behind the @")
            add(user: user, domain: "", "UPN with an empty domain")
        } else if !domain.isEmpty {
            add(user: NTLMKeys.uppercased("\(original)@\(domain)"), domain: "", "UPN made of user and domain")
        }
        let slash = original.split(separator: "\\", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if slash.count == 2 {
            add(user: NTLMKeys.uppercased(slash[1]), domain: slash[0], "DOMAIN\\user split into user and domain")
        }
    }
}
