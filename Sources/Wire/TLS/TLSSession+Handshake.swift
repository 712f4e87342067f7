import AuthScanBytes
import AuthScanNativeCodecs

extension TLSSession {
    /// Takes a fragment of handshake messages, and reads those that are whole.
    func receiveHandshake(_ fragment: RawSpan, _ chunk: StreamChunk, _ direction: TLSDirection) {
        direction.handshake.append(fragment)
        while let (type, message) = direction.handshake.next() {
            note(message, type)
            // A message that contradicts its format says nothing; the ones behind it are read.
            try? receive(type, message[...].dropFirst(4), chunk, direction)
        }
    }

    /// Keeps the messages that the keys may depend on.
    private func note(_ message: [UInt8], _ type: HandshakeType) {
        guard material.mayNeedTranscript, !isTLS13, flight.sessionHash == nil else { return }
        if type == .clientHello { flight.transcript = [] }
        guard flight.transcript.count + message.count <= HandshakeReader.messageLimit else { return }
        // RFC 5246 §7.4.1.1: HelloRequest is no part of it.
        if type != .helloRequest { flight.transcript += message }
    }

    private func receive(
        _ type: HandshakeType,
        _ body: ArraySlice<UInt8>,
        _ chunk: StreamChunk,
        _ direction: TLSDirection
    ) throws(DecodeError) {
        switch type {
        case .helloRequest: noteRenegotiation(chunk)
        case .clientHello: receive(try ClientHello(body), chunk)
        case .serverHello: receive(try ServerHello(body), chunk)
        case .encryptedExtensions: receiveEncryptedExtensions(body)
        case .certificate: receiveCertificate(body, chunk)
        case .certificateRequest:
            var request = try CertificateRequest(body, version: serverHello?.version ?? .tls12)
            request.packet = chunk.packet
            request.isAfterHandshake = facts.finishedPacket != nil
            facts.certificateRequest = request
            facts.clientCertificate = nil
        case .serverHelloDone: noteServerFlightEnd()
        case .serverKeyExchange: flight.hasServerFlight = true
        case .clientKeyExchange: receiveClientKeyExchange(body)
        case .newSessionTicket: receiveTicket(body)
        case .endOfEarlyData: advance(direction, to: .handshake)
        case .finished: receiveFinished(chunk, direction)
        case .keyUpdate: updateKeys(direction)
        default: break
        }
    }

    /// Takes a ClientHello in the framing of SSL 2.0, header included.
    func receiveOldHello(_ record: RawSpan, _ chunk: StreamChunk) {
        var bytes: [UInt8] = []
        bytes.append(record)
        // One that contradicts its format says nothing.
        guard let hello = try? ClientHello(old: bytes.dropFirst(3)) else { return }
        receive(hello, chunk)
    }

    private func receive(_ hello: ClientHello, _ chunk: StreamChunk) {
        var hello = hello
        hello.packet = chunk.packet
        noteRenegotiation(chunk)
        clientDirection = chunk.stream & 1
        let isSecond = facts.helloRetryPacket != nil && serverHello == nil
        // A second hello has the first one's random, under which secrets are logged.
        facts.clientHello = hello
        let transcript = flight.transcript
        flight = Flight()
        flight.transcript = transcript
        serverHello = isSecond ? serverHello : nil
        if hello.offersEarlyData { prepareEarlyData(hello) }
    }

    private func receive(_ hello: ServerHello, _ chunk: StreamChunk) {
        if clientDirection == nil { clientDirection = (chunk.stream & 1) ^ 1 }
        facts.version = hello.version
        facts.cipherSuite = hello.cipherSuite
        if hello.isHelloRetryRequest {
            facts.helloRetryPacket = chunk.packet
            return
        }
        serverHello = hello
        facts.serverHelloPacket = chunk.packet
        facts.applicationProtocol = hello.protocolName ?? facts.applicationProtocol
        material.handshakes += 1
        if let random = facts.clientHello?.random, material.keyLog.knows(random) { material.knownHandshakes += 1 }
        if hello.version >= .tls13 {
            if hello.hasPreSharedKey { facts.resumption = .preSharedKey }
            prepareTrafficKeys(hello)
        }
    }

    /// The server's answers that TLS 1.3 keeps to itself.
    ///
    /// - Source: RFC 8446 §4.3.1.
    private func receiveEncryptedExtensions(_ body: ArraySlice<UInt8>) {
        var cursor = ByteCursor(body)
        // Damaged extensions answer nothing.
        guard let extensions = try? TLSExtension.list(&cursor) else { return }
        facts.applicationProtocol = extensions.protocolNames.first ?? facts.applicationProtocol
    }

    private func receiveCertificate(_ body: ArraySlice<UInt8>, _ chunk: StreamChunk) {
        let version = serverHello?.version ?? .tls12
        guard let chain = material.chain(body, version: version) else { return }
        if side(of: chunk.stream & 1) == .server {
            flight.hasServerFlight = true
            facts.serverCertificates = chain
            facts.serverCertificatePacket = chunk.packet
        } else {
            facts.clientCertificates = chain
            facts.clientCertificatePacket = chunk.packet
            let isEmpty = CertificateMessage.isEmpty(body, version: version)
            facts.clientCertificate = isEmpty ? TLSConnection.ClientCertificate.none : .sent
        }
    }

    /// The server's part is over: what it has not asked for, it does not want.
    private func noteServerFlightEnd() {
        flight.hasServerFlight = true
        if facts.certificateRequest == nil { facts.clientCertificate = .notRequested }
    }

    private func receiveFinished(_ chunk: StreamChunk, _ direction: TLSDirection) {
        if isTLS13, side(of: chunk.stream & 1) == .server, facts.certificateRequest == nil {
            facts.clientCertificate = .notRequested
        }
        noteFinished(direction, chunk)
        if isTLS13 { advance(direction, to: .application) }
    }

    /// A side has proven that it has the keys.
    func noteFinished(_ direction: TLSDirection, _ chunk: StreamChunk) {
        direction.isFinished = true
        direction.handshakes += 1
        if facts.finishedPacket == nil, directions.allSatisfy(\.isFinished) { facts.finishedPacket = chunk.packet }
        if facts.renegotiation?.finishedPacket == nil, directions.allSatisfy({ $0.handshakes > 1 }) {
            facts.renegotiation?.finishedPacket = chunk.packet
        }
    }

    /// A handshake begins, if it is another one.
    func noteRenegotiation(_ chunk: StreamChunk) {
        guard facts.finishedPacket != nil, facts.renegotiation == nil, !isTLS13 else { return }
        facts.renegotiation = TLSConnection.Renegotiation(
            packet: chunk.packet,
            from: side(of: chunk.stream & 1),
            time: chunk.time,
            isAfterRequest: facts.firstRequestPacket != nil
        )
    }

    /// - Source: RFC 5077 §3.3 (before TLS 1.3): lifetime(4) ticket<0..2^16-1>.
    private func receiveTicket(_ body: ArraySlice<UInt8>) {
        guard !isTLS13 else { return }
        var cursor = ByteCursor(body.dropFirst(4))
        // A damaged ticket resumes nothing.
        guard let ticket = try? cursor.takeVector(lengthBytes: 2, as: "ticket") else { return }
        flight.ticket = Array(ticket)
        if let master = flight.masterSecret { material.remember(master, for: flight.ticket) }
    }

    /// - Source: RFC 5246 §7.4.7.1: EncryptedPreMasterSecret<0..2^16-1>.
    private func receiveClientKeyExchange(_ body: ArraySlice<UInt8>) {
        var cursor = ByteCursor(body)
        // Other key exchanges have nothing that a private key opens.
        flight.encryptedPremaster = (try? cursor.takeVector(lengthBytes: 2, as: "encrypted")).map(Array.init)
        // SSL 3.0 leaves the length out.
        if let version = serverHello?.version, version < .tls10 { flight.encryptedPremaster = Array(body) }
        if let hello = serverHello, hello.hasExtendedMasterSecret, !flight.transcript.isEmpty {
            let hash = hello.cipherSuite.scheduleHash
            // RFC 7627 §3: the hash that Finished uses.
            flight.sessionHash =
                hello.version >= .tls12
                ? hash.digest(of: flight.transcript)
                : HashFunction.md5.digest(of: flight.transcript) + HashFunction.sha1.digest(of: flight.transcript)
        }
    }
}
