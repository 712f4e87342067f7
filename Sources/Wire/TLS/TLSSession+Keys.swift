import AuthScanNativeCodecs

// MARK: - TLS 1.3

extension TLSSession {
    private func secret(_ label: KeyLog.Label) -> [UInt8]? {
        facts.clientHello.flatMap { material.keyLog.secret(label, of: $0.random) }
    }

    /// The keys of data that a client sends before the server has answered.
    ///
    /// - Source: RFC 8446 §4.2.10: they belong to the suite of the pre-shared key, which the client does not name.
    func prepareEarlyData(_ hello: ClientHello) {
        guard let clientDirection, let secret = secret(.clientEarlyTraffic) else { return }
        let direction = directions[clientDirection]
        let suite = hello.cipherSuites.first {
            $0.rawValue >> 8 == 0x13 && $0.scheduleHash.byteCount == secret.count
        }
        direction.current = TLSDirection.Epoch(level: .earlyData, secret: secret)
        direction.decryptor = suite.flatMap { RecordDecryptor(trafficSecret: secret, suite: $0) }
    }

    /// Both directions are protected from here on, with what the key log has for them.
    func prepareTrafficKeys(_ hello: ServerHello) {
        for index in directions.indices {
            let direction = directions[index]
            if case .null(let hash)? = hello.cipherSuite.protection {
                // There is nothing to decrypt.
                direction.isProtected = true
                direction.decryptor = RecordDecryptor(unproven: hash, version: hello.version)
                continue
            }
            let isClient = side(of: index) == .client
            direction.isProtected = true
            // What was lost before these keys is none of theirs.
            direction.lostBytes = 0
            direction.lostRecords = 0
            direction.epochs = []
            if let secret = secret(isClient ? .clientHandshakeTraffic : .serverHandshakeTraffic) {
                direction.epochs.append(TLSDirection.Epoch(level: .handshake, secret: secret))
            }
            if let secret = secret(isClient ? .clientTraffic : .serverTraffic) {
                direction.epochs.append(TLSDirection.Epoch(level: .application, secret: secret))
            }
            // Early data end with a message of their own, or were refused: then the next keys fit.
            if direction.current?.level != .earlyData { advance(direction, to: .handshake) }
            if isClient, direction.current?.level == .earlyData, direction.openedRecords == 0, let hello = serverHello,
                let secret = direction.current?.secret
            {
                direction.decryptor = RecordDecryptor(trafficSecret: secret, suite: hello.cipherSuite)
            }
        }
    }

    /// Goes over to the keys of a level; without them, nothing opens until later keys fit.
    func advance(_ direction: TLSDirection, to level: TLSDirection.Epoch.Level) {
        guard let suite = serverHello?.cipherSuite, !suite.isIntegrityOnly, direction.current?.level != level else {
            return
        }
        guard let index = direction.epochs.firstIndex(where: { $0.level == level }) else {
            direction.decryptor = nil
            return
        }
        direction.current = direction.epochs[index]
        direction.decryptor = RecordDecryptor(trafficSecret: direction.epochs[index].secret, suite: suite)
        direction.epochs.removeFirst(index + 1)
    }

    /// The sender changes its keys.
    ///
    /// - Source: RFC 8446 §4.6.3 and §7.2.
    func updateKeys(_ direction: TLSDirection) {
        guard isTLS13, let suite = serverHello?.cipherSuite, let current = direction.current,
            current.level == .application
        else { return }
        let hash = suite.scheduleHash
        let secret = KeySchedule.expandLabel(current.secret, "traffic upd", count: hash.byteCount, hash)
        direction.current = TLSDirection.Epoch(level: .application, secret: secret)
        direction.decryptor = RecordDecryptor(trafficSecret: secret, suite: suite)
    }
}

// MARK: - Before TLS 1.3

extension TLSSession {
    /// A direction's records are protected from here on, or with new keys.
    ///
    /// - Source: RFC 5246 §7.1.
    func changeCipherSpec(_ chunk: StreamChunk, _ direction: TLSDirection) {
        direction.isProtected = true
        direction.lostBytes = 0
        direction.lostRecords = 0
        direction.isFinished = false
        direction.handshake.reset()
        let side = side(of: chunk.stream & 1)
        if side == .server, !flight.hasServerFlight, let hello = serverHello { noteResumption(hello) }
        if flight.masterSecret == nil { deriveKeys() }
        direction.decryptor = legacyKeys.flatMap { RecordDecryptor($0, side: side) }
        if legacyKeys == nil, let hello = serverHello,
            case .null(let hash)? = hello.cipherSuite.protection
        {
            // There is nothing to decrypt.
            direction.decryptor = RecordDecryptor(unproven: hash, version: hello.version)
        }
    }

    /// The server has nothing to prove: the session goes on from an earlier one.
    private func noteResumption(_ hello: ServerHello) {
        guard let clientHello = facts.clientHello else { return }
        facts.clientCertificate = .notRequested
        facts.resumption = clientHello.sessionTicket.isEmpty ? .sessionID : .ticket
    }

    /// Finds the master secret of the handshake in progress, and derives its keys.
    private func deriveKeys() {
        legacyKeys = nil
        guard let hello = serverHello, let clientHello = facts.clientHello,
            let master = masterSecret(clientHello, hello)
        else { return }
        flight.masterSecret = master
        material.remember(master, for: hello.sessionID)
        material.remember(master, for: flight.ticket)
        legacyKeys = LegacyKeys(masterSecret: master, clientRandom: clientHello.random, hello: hello)
    }

    private func masterSecret(_ clientHello: ClientHello, _ hello: ServerHello) -> [UInt8]? {
        if let logged = material.keyLog.secret(.masterSecret, of: clientHello.random) { return logged }
        if let logged = material.keyLog.secret(.sessionMasterSecret, of: hello.sessionID) { return logged }
        if !flight.hasServerFlight {
            return material.masterSecret(for: clientHello.sessionTicket)
                ?? (hello.sessionID == clientHello.sessionID ? material.masterSecret(for: hello.sessionID) : nil)
        }
        let premaster =
            material.keyLog.secret(.premasterSecret, of: clientHello.random)
            ?? encryptedPremaster(hello).flatMap { material.premasterSecret($0) }
        guard let premaster else { return nil }
        return KeySchedule.masterSecret(
            premaster,
            clientRandom: clientHello.random,
            serverRandom: hello.random,
            sessionHash: flight.sessionHash,
            version: hello.version,
            hello.cipherSuite.scheduleHash
        )
    }
}

extension TLSSession {
    /// The premaster secret that is encrypted for the server's RSA key; `nil` in other key exchanges, and where it was tried before.
    private func encryptedPremaster(_ hello: ServerHello) -> [UInt8]? {
        // Each side's ChangeCipherSpec asks: a key that has not fitted once does not fit the second time.
        defer { flight.encryptedPremaster = nil }
        return hello.cipherSuite.hasRSAKeyExchange ? flight.encryptedPremaster : nil
    }
}

// MARK: - The end

extension TLSSession {
    /// What is known once nothing further comes.
    func finish() -> TLSConnection {
        for index in directions.indices {
            guard let alert = directions[index].possibleAlert else { continue }
            noteUnreadAlert(alert.packet, alert.time, side(of: index), false)
        }
        facts.decryption = decryption
        if facts.decryption == .wrongSecrets { material.wrongHandshakes += 1 }
        return facts
    }

    private var decryption: TLSConnection.Decryption {
        let opened = directions.reduce(0) { $0 + $1.openedRecords }
        let opaque = directions.reduce(0) { $0 + $1.opaqueRecords }
        if opaque == 0 { return opened == 0 ? .notNeeded : .complete }
        if opened > 0 { return .partial }
        guard let random = facts.clientHello?.random, let suite = facts.cipherSuite else { return .handshakeMissing }
        if suite.protection == nil { return .unsupported }
        let hasSecrets =
            isTLS13 ? secret(.clientTraffic) != nil || secret(.serverTraffic) != nil : flight.masterSecret != nil
        return hasSecrets && material.keyLog.knows(random) ? .wrongSecrets : .noSecrets
    }
}
