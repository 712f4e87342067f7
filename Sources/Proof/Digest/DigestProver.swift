import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions

/// Holds Digest credentials, and the server's answer to them, against the known passwords.
struct DigestProver {
    let credentials: DigestCredentials
    /// The user's name with its escapes, where it has any.
    let escapedUser: String?
    let method: String
    /// The request target, which `uri` should repeat.
    let target: String
    /// Whether the request has a body, which is not kept.
    let hasBody: Bool
    /// The server's proof; `nil` where it sent none.
    let rspauth: Secret<String>?
    /// The passwords that may be this user's.
    let passwords: [KnownSecrets.Password]

    func proofs() -> [Proof] {
        guard let response = credentials.response, credentials.nonce != nil else {
            return [Proof(.digestResponse, .cannotTell("response or nonce is missing"))]
        }
        guard let computation = DigestComputation(credentials) else {
            return [Proof(.digestResponse, .cannotTell("the algorithm is not registered"))]
        }
        if hasBody, isIntegrityProtected {
            return [Proof(.digestResponse, .cannotTell("qop is auth-int, and the request's body is not kept"))]
        }
        guard !passwords.isEmpty else {
            return [Proof(.digestResponse, .cannotTell("no password is known for this user"))]
        }
        let expected = response.withRevealed { Array($0.lowercased().utf8) }
        let keys = self.keys(computation)
        guard !keys.isEmpty else {
            return [Proof(.digestResponse, .cannotTell("the user's name is hashed, and no known user has this hash"))]
        }
        for variant in variants {
            for key in keys {
                let computed = computation.response(
                    secret: key.secret,
                    method: variant.method,
                    uri: variant.uri,
                    body: isIntegrityProtected ? [] : nil,
                    asSession: variant.asSession
                )
                guard computed == expected else { continue }
                return found(computation, key, variant)
            }
        }
        return [Proof(.digestResponse, .wrong)]
    }

    private var isIntegrityProtected: Bool { credentials.qop?.lowercased() == "auth-int" }

    private func found(_ computation: DigestComputation, _ key: Key, _ variant: Variant) -> [Proof] {
        let names = [key.name, variant.name].compactMap { $0 }
        let verdict: Proof.Verdict = names.isEmpty ? .right : .rightForOther(names.joined(separator: ", "))
        let proof = Proof(.digestResponse, verdict)
        guard let rspauth else { return [proof] }
        if isIntegrityProtected {
            let reason = "qop is auth-int, and the response's body is not kept"
            return [proof, Proof(.digestRspauth, .cannotTell(reason))]
        }
        // RFC 7616 §3.5: A2 is ":" and the uri alone.
        let computed = computation.response(secret: key.secret, method: "", uri: variant.uri, body: nil)
        let isRight = rspauth.withRevealed { Array($0.lowercased().utf8) } == computed
        return [proof, Proof(.digestRspauth, isRight ? .right : .wrong)]
    }

    // MARK: - What is tried

    /// What goes into the proof beside names and password, and what it is called where it is not what was sent.
    private struct Variant {
        let method: String
        let uri: String
        let asSession: Bool?
        let name: String?
    }

    private var variants: [Variant] {
        let uri = credentials.uri ?? target
        var list = [Variant(method: method, uri: uri, asSession: nil, name: nil)]
        if target != uri {
            list.append(Variant(method: method, uri: target, asSession: nil, name: "the request target instead of uri"))
        }
        if method != "GET" {
            list.append(Variant(method: "GET", uri: uri, asSession: nil, name: "the method GET instead of \(method)"))
        }
        if credentials.effectiveAlgorithm.isSession {
            list.append(Variant(method: method, uri: uri, asSession: false, name: "computed without -sess"))
        }
        return list
    }

    private struct Key {
        let secret: [UInt8]
        let name: String?
    }

    /// The hashes of user, realm and password: first those of the names that were sent.
    private func keys(_ computation: DigestComputation) -> [Key] {
        let users = self.users(computation)
        return users.flatMap { user in
            passwords.flatMap { password in
                password.text.withRevealed { text in
                    var keys = [
                        Key(
                            secret: computation.secret(user: Array(user.user.utf8), password: Array(text.utf8)),
                            name: user.name
                        )
                    ]
                    let isASCII = (user.user + text).utf8.allSatisfy { $0 < 0x80 }
                    if !isASCII, let latinUser = BasicProver.latin1(user.user), let latin = BasicProver.latin1(text) {
                        let name = [user.name, "in ISO-8859-1, not in UTF-8"].compactMap { $0 }.joined(separator: ", ")
                        keys.append(Key(secret: computation.secret(user: latinUser, password: latin), name: name))
                    }
                    return keys
                }
            }
        }
    }

    private func users(_ computation: DigestComputation) -> [IdentitySpelling] {
        guard credentials.userhash == true else {
            var users = IdentitySpelling.plain(credentials.user ?? "")
            if let escapedUser {
                users.append(IdentitySpelling(user: escapedUser, domain: "", name: "user with its backslash doubled"))
            }
            return users
        }
        let hash = credentials.username?.lowercased() ?? ""
        let known = Set(passwords.compactMap(\.user))
        return known.filter { String(decoding: computation.userHash($0), as: UTF8.self) == hash }.sorted()
            .map { IdentitySpelling(user: $0, domain: "", name: nil) }
    }
}
