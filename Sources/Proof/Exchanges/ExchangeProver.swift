public import AuthScanBytes
public import AuthScanSchemes
public import AuthScanSessions
public import AuthScanWire

/// Holds the proofs of a capture's exchanges against the known secrets.
public struct ExchangeProver {
    /// How many exchanges are looked at.
    static let exchangeLimit = 10_000

    private let secrets: KnownSecrets
    /// The challenges of all exchanges, sorted by the numbers of their transactions.
    private let challenges: [NTLMProver.CapturedChallenge]
    /// The keys of each password, made once.
    private let candidates: [KnownSecrets.Password: NTLMComputation.Candidate]
    /// The session keys that came to light in what clients exchanged with key distribution centers.
    private var sessionKeys = SessionKeys()
    /// The TLS connections, whose certificates say what messages are to be bound to.
    private var tls: [TLSConnection] = []

    /// Holds the exchanges of a capture against the secrets; at most 10,000 of each kind are looked at.
    ///
    /// - Parameters:
    ///   - sessions: The exchanges with servers, and with key distribution centers.
    ///   - tls: The TLS connections, for what messages are bound to.
    ///   - secrets: What the user believes right.
    /// - Returns: What is said about each exchange.
    public static func prove(_ sessions: Sessions, tls: [TLSConnection], with secrets: KnownSecrets) -> Proofs {
        guard !secrets.isEmpty else { return .none }
        var prover = ExchangeProver(sessions.exchanges, secrets)
        var kdc = KDCProver(secrets)
        var kdcProofs: [Int: [Proof]] = [:]
        for exchange in sessions.kdcExchanges.prefix(exchangeLimit) {
            kdcProofs[exchange.number] = kdc.proofs(exchange)
        }
        prover.sessionKeys = kdc.sessionKeys
        prover.tls = tls
        let exchanges = sessions.exchanges.prefix(exchangeLimit)
        return Proofs(exchanges.compactMap { ExchangeProof($0, prover.proofs($0)) }, kdcExchanges: kdcProofs)
    }

    /// Holds one handshake against the secrets, without any capture around it.
    public static func prove(_ handshake: NTLMHandshake, with secrets: KnownSecrets) -> [Proof] {
        ExchangeProver(NumberedExchanges(), secrets).ntlm(handshake, others: [])
    }

    /// What the server proves of itself in its answer.
    public struct ServerProof: Sendable {
        /// Digest's `rspauth`.
        public var rspauth: Secret<String>?
        /// Kerberos' AP-REP.
        public var reply: APRep?

        /// Nothing.
        public init() {}
    }

    /// Holds one request's credentials against the secrets, and the server's answer, without any capture around them.
    ///
    /// A request of unknown form counts as a GET of what the credentials themselves name.
    public static func prove(
        _ credentials: Credentials,
        request: (method: String, target: String)?,
        answer: ServerProof = ServerProof(),
        with secrets: KnownSecrets
    ) -> [Proof] {
        let prover = ExchangeProver(NumberedExchanges(), secrets)
        switch credentials.content {
        case .basic(let basic): return prover.basic(basic)
        case .digest(let digest):
            let request = request ?? ("GET", digest.uri ?? "")
            let parts = DigestParts(
                method: request.method,
                target: request.target,
                hasBody: false,
                rspauth: answer.rspauth
            )
            return prover.digest(digest, credentials, parts)
        case .negotiate(let token):
            guard let request = token?.kerberos?.apReq, !secrets.keytab.isEmpty else { return [] }
            return KerberosProver(keytab: secrets.keytab).proofs(request, answer.reply)
        case .ntlm, .bearer, .other: return []
        }
    }

    private init(_ exchanges: NumberedExchanges, _ secrets: KnownSecrets) {
        self.secrets = secrets
        candidates = Dictionary(
            secrets.passwords.map { password in
                let keys = password.text.withRevealed { text in
                    let lmHash = NTLMKeys.lmHash(of: text)
                    return NTLMComputation.Candidate(
                        ntHash: NTLMKeys.ntHash(of: text),
                        lmHash: lmHash.isEmpty ? nil : lmHash
                    )
                }
                return (password, keys)
            }
        ) { first, _ in first }
        challenges = exchanges.prefix(Self.exchangeLimit).flatMap(\.capturedChallenges)
            .sorted { $0.transaction < $1.transaction }
    }

    private func proofs(_ exchange: AuthenticationExchange) -> [Proof] {
        if exchange.isNTLM, let handshake = exchange.ntlmHandshake { return ntlm(exchange, handshake) }
        return exchange.legs.flatMap { leg in
            numbered(proofs(leg, exchange.target), leg.transaction.number)
        }
    }

    private func proofs(_ leg: Leg, _ target: AuthenticationTarget) -> [Proof] {
        let credentials = leg.credentials
        switch credentials.content {
        case .basic(let basic): return self.basic(basic)
        case .digest(let digest): return self.digest(digest, credentials, leg.transaction, target)
        case .negotiate(let token):
            guard let request = token?.kerberos?.apReq else { return [] }
            let replies = leg.transaction.fields(for: target).challenges.compactMap { $0.kerberos?.apRep }
            let prover = KerberosProver(
                keytab: secrets.keytab,
                sessionKeys: sessionKeys,
                channelBindings: dueBindings(leg.transaction)
            )
            let proofs = prover.proofs(request, replies.first)
            guard proofs.isEmpty, !secrets.passwords.isEmpty else { return proofs }
            return [Proof(.kerberosSessionKey, .cannotTell("no given secret opens the way to the ticket's key"))]
        case .ntlm, .bearer, .other: return []
        }
    }

    private func numbered(_ proofs: [Proof], _ transaction: Int) -> [Proof] {
        proofs.map { proof in
            var proof = proof
            proof.transaction = transaction
            return proof
        }
    }

    // MARK: - Schemes

    private func basic(_ credentials: BasicCredentials?) -> [Proof] {
        // Hashes and keytabs say nothing about it.
        guard let credentials, !secrets.passwords.isEmpty else { return [] }
        return [BasicProver(credentials: credentials, passwords: secrets.passwords(for: credentials.userID)).proof()]
    }

    /// What a Digest proof covers besides the credentials.
    private struct DigestParts {
        let method: String
        let target: String
        let hasBody: Bool
        let rspauth: Secret<String>?
    }

    private func digest(
        _ digest: DigestCredentials,
        _ credentials: Credentials,
        _ transaction: Transaction,
        _ target: AuthenticationTarget
    ) -> [Proof] {
        guard let request = transaction.request else { return [] }
        let name: FieldName = target == .origin ? .authenticationInfo : .proxyAuthenticationInfo
        let info = transaction.response?.fields.first(name).map { ChallengeParser.parseAuthenticationInfo($0) }
        let parts = DigestParts(
            method: request.method,
            target: request.target,
            hasBody: request.bodyBytes > 0 || !request.isBodyComplete,
            rspauth: info?.rspauth
        )
        return self.digest(digest, credentials, parts)
    }

    private func digest(_ digest: DigestCredentials, _ credentials: Credentials, _ parts: DigestParts) -> [Proof] {
        guard !secrets.passwords.isEmpty else { return [] }
        let user = credentials.parameters.first { $0.name.lowercased() == "username" }
        return DigestProver(
            credentials: digest,
            escapedUser: user?.escapedValue,
            method: parts.method,
            target: parts.target,
            hasBody: parts.hasBody,
            rspauth: parts.rspauth,
            passwords: secrets.passwords(for: digest.user)
        ).proofs()
    }

    private func ntlm(_ exchange: AuthenticationExchange, _ handshake: NTLMHandshake) -> [Proof] {
        guard let leg = exchange.legs.last(where: { $0.ntlm?.authenticate != nil }) else { return [] }
        let number = leg.transaction.number
        let others = nearest(to: number, besides: handshake.challenge?.serverChallenge)
        var proofs = ntlm(handshake, others: others)
        // Without the right password the bindings may be anybody's.
        if proofs.first?.isRight == true, case .present(let bindings)? = handshake.authenticate?.channelBindings {
            let due = dueBindings(leg.transaction)
            proofs += [ChannelBindingProof.proof(of: bindings, due: due)].compactMap { $0 }
        }
        return numbered(proofs, number)
    }

    /// What the server's certificate makes of channel bindings; `nil` outside of decrypted TLS.
    private func dueBindings(_ transaction: Transaction) -> [UInt8]? {
        tls.carrying(transaction)?.serverCertificate?.channelBindings
    }

    /// The challenges of other connections that were captured the least before or after a transaction.
    private func nearest(to transaction: Int, besides own: [UInt8]?) -> [NTLMProver.CapturedChallenge] {
        var (low, high) = (0, challenges.count)
        while low < high {
            let middle = (low + high) / 2
            if challenges[middle].transaction < transaction { low = middle + 1 } else { high = middle }
        }
        let reach = NTLMProver.otherChallengeLimit + 1
        return challenges[max(0, low - reach)..<min(challenges.count, low + reach)]
            .filter { $0.message.serverChallenge != own }
            .sorted { abs($0.transaction - transaction) < abs($1.transaction - transaction) }
    }

    private func ntlm(_ handshake: NTLMHandshake, others: [NTLMProver.CapturedChallenge]) -> [Proof] {
        let user = handshake.authenticate?.user
        let keys = secrets.passwords(for: user).compactMap { candidates[$0] }
        let hashes = secrets.ntHashes(for: user).map { hash in
            NTLMComputation.Candidate(ntHash: hash.value.withRevealed { $0 }, lmHash: nil)
        }
        guard !secrets.passwords.isEmpty || !secrets.ntHashes.isEmpty else { return [] }
        return NTLMProver(handshake: handshake, others: others, candidates: keys + hashes).proofs()
    }
}

extension AuthenticationExchange {
    /// Its CHALLENGE_MESSAGEs, with where they were captured.
    fileprivate var capturedChallenges: [NTLMProver.CapturedChallenge] {
        legs.compactMap { leg in
            leg.continuation?.ntlm?.challenge.map { message in
                NTLMProver.CapturedChallenge(
                    message: message,
                    connection: leg.transaction.connection,
                    transaction: leg.transaction.number
                )
            }
        }
    }
}
