import AuthScanBytes

// TLS between TCP and HTTP: a direction whose records open is read as a clear one is.
//
// While content of a TLS connection is read, the streams of the TCP connection stand for what lies inside: they change places with
// those that read the records. So everything above works alike, in the clear, in TLS, in a tunnel, and in TLS within a tunnel within TLS.

/// A TLS connection, and how far the reading of what it carries has come.
final class SecuredStreams {
    let session: TLSSession
    /// The streams inside, *a* → *b* and *b* → *a*.
    var inner = (MessageStream(), MessageStream())
    var hasNotedClient = false

    init(session: TLSSession) { self.session = session }
}

extension TransactionAssembler {
    /// The connection is TLS from here on.
    mutating func beginTLS(_ chunk: StreamChunk) {
        leave(chunk.stream, .tls, chunk)
        let session = TLSSession(
            connection: chunk.connection + 1,
            tunnel: tunnels[chunk.stream >> 1],
            packet: chunk.packet,
            presumedClient: client(of: chunk) == .fromB ? 1 : 0,
            material: material
        )
        let index = freeSecured.popLast() ?? Int32(secured.count)
        if index == secured.count { secured.append(nil) }
        while passed.count < secured.count * 2 { passed.append(PassedRecords()) }
        secured[Int(index)] = SecuredStreams(session: session)
        for stream in [chunk.stream, chunk.stream ^ 1] {
            streams[stream] = MessageStream()
            streams[stream].layer = index
            streams[stream].mode = .secured
        }
        pairings[chunk.stream >> 1].reset(in: &waiting)
    }

    mutating func readSecured(
        _ bytes: RawSpan,
        at position: inout Int,
        _ chunk: StreamChunk
    ) {
        let unread = min(streams[chunk.stream].remaining, bytes.byteCount - position)
        streams[chunk.stream].remaining -= unread
        position += unread
        guard position < bytes.byteCount else { return }
        if passRecords(bytes, at: &position, chunk.stream) { return }
        guard let layer = secured[Int(streams[chunk.stream].layer)] else { return position = bytes.byteCount }
        takePassed(layer, chunk.stream)
        let direction = layer.session.directions[chunk.stream & 1]
        if direction.appendMiddle(bytes, at: &position) { return }
        direction.passable = passableBytes(layer, chunk.stream)
        while let content = layer.session.next(bytes, at: &position, chunk) {
            noteClient(layer, chunk)
            var inner = chunk
            // The content's last byte counts as sent with its record's last byte: acknowledgements cover both at once.
            inner.sequence = chunk.sequence.advanced(by: position - content.count)
            withInner(layer, chunk) {
                if content.isUnseen {
                    $0.passUnseen(content.count, inner)
                } else {
                    $0.receive(content, of: layer.session, inner)
                }
            }
            direction.passable = passableBytes(layer, chunk.stream)
        }
        streams[chunk.stream].remaining = direction.takeUnread()
        noteClient(layer, chunk)
        settle(layer, chunk.stream)
    }

    /// Where what passes of a direction is counted.
    func passedRecords(of stream: Int) -> Int { Int(streams[stream].layer) * 2 + (stream & 1) }

    /// Passes records of which nothing but the headers need be looked at; whether all of the bytes were theirs.
    private mutating func passRecords(_ bytes: RawSpan, at position: inout Int, _ stream: Int) -> Bool {
        let place = passedRecords(of: stream)
        guard passed[place].isSettled else { return false }
        streams[stream].remaining = passed[place].pass(bytes, at: &position)
        return position == bytes.byteCount
    }

    /// Tells the session what passed of a direction.
    private mutating func takePassed(_ layer: SecuredStreams, _ stream: Int) {
        let place = passedRecords(of: stream)
        guard passed[place].isSettled else { return }
        layer.session.directions[stream & 1].take(passed[place], rest: streams[stream].remaining)
        streams[stream].remaining = 0
        passed[place] = PassedRecords()
    }

    /// Decides anew, after a record that was looked at, what may pass.
    private mutating func settle(_ layer: SecuredStreams, _ stream: Int) {
        passed[passedRecords(of: stream)].isSettled = layer.session.isSettled(stream & 1)
        // What was said in this direction may make the other one worth looking at.
        if !layer.session.isSettled(stream & 1 ^ 1) { takePassed(layer, stream ^ 1) }
    }

    /// Reads what was decrypted.
    private mutating func receive(
        _ content: TLSPlaintext,
        of session: TLSSession,
        _ chunk: StreamChunk
    ) {
        if content.lost > 0 { receiveGap(content.lost, chunk) }
        beginKnownProtocol(session, chunk)
        guard streams[chunk.stream].mode != .opaque else { return }
        let plaintext = material.takePlaintext()
        withBytes(of: plaintext) {
            let bytes = $0.extracting(0..<content.count)
            noteCertificateWords(in: bytes, chunk.stream)
            consume(bytes, chunk)
        }
        material.giveBack(plaintext)
    }

    /// How many of the next bytes inside a TLS connection nobody would look at.
    private func passableBytes(_ layer: SecuredStreams, _ stream: Int) -> Int {
        let inner = stream & 1 == 0 ? layer.inner.0 : layer.inner.1
        guard kdcBodies.isEmpty else { return 0 }
        if inner.kind == .responses, mayHoldCertificateWords(inner.transaction) { return 0 }
        switch inner.mode {
        case .body, .chunkData: return inner.remaining
        case .untilClose, .opaque: return .max
        case .start, .head, .chunkSize, .chunkExtension, .chunkEnd, .trailers, .resync, .secured, .http2, .kdc: return 0
        }
    }

    /// Notes bytes of a body that were not decrypted.
    private mutating func passUnseen(_ count: Int, _ chunk: StreamChunk) {
        let stream = chunk.stream
        switch streams[stream].mode {
        case .opaque: break
        case .untilClose: noteBody(count, chunk)
        case .body where count <= streams[stream].remaining:
            streams[stream].remaining -= count
            noteBody(count, chunk)
            if streams[stream].remaining == 0 { endMessage(stream, isComplete: true) }
        case .chunkData where count <= streams[stream].remaining:
            streams[stream].remaining -= count
            noteBody(count, chunk)
            if streams[stream].remaining == 0 { streams[stream].mode = .chunkEnd }
        // What the other side said, while the record was under way, has ended the body.
        default: receiveGap(count, chunk)
        }
    }

    /// Once a hello has told who the client is, the whole connection knows.
    private mutating func noteClient(_ layer: SecuredStreams, _ chunk: StreamChunk) {
        guard !layer.hasNotedClient, let client = layer.session.clientDirection else { return }
        layer.hasNotedClient = true
        contents[chunk.connection].client = Direction(stream: client)
    }

    /// Looks for what the page of a refusal says of certificates, where it comes in records of its own.
    private mutating func noteCertificateWords(in bytes: RawSpan, _ stream: Int) {
        guard streams[stream].kind == .responses else { return }
        noteCertificateWords(in: bytes, ofResponse: streams[stream].transaction)
    }

    /// Looks for what the page of a refusal says of certificates in its first bytes.
    mutating func noteCertificateWords(in bytes: RawSpan, ofResponse transaction: Int32) {
        guard mayHoldCertificateWords(transaction) else { return }
        transactions[Int(transaction)].response?.certificateNotice = CertificateNotice.find(in: bytes)
    }

    /// Whether the body of a response is the page of a refusal, of which nothing was read yet.
    @inline(__always)
    private func mayHoldCertificateWords(_ transaction: Int32) -> Bool {
        guard transaction >= 0, let status = transactions[Int(transaction)].response?.status else { return false }
        return CertificateNotice.isPossible(status) && transactions[Int(transaction)].response?.bodyBytes == 0
    }

    /// HTTP/2 that was agreed upon needs no preface to be recognised: the server may speak first.
    private mutating func beginKnownProtocol(
        _ session: TLSSession,
        _ chunk: StreamChunk
    ) {
        guard session.facts.applicationProtocol == "h2", !session.hasBegunHTTP2 else { return }
        session.hasBegunHTTP2 = true
        guard streams[chunk.stream].mode == .start, streams[chunk.stream ^ 1].mode == .start else { return }
        beginHTTP2(chunk)
    }

    /// Lets `body` work on the streams inside a TLS connection.
    private mutating func withInner(
        _ layer: SecuredStreams,
        _ chunk: StreamChunk,
        _ body: (inout TransactionAssembler) -> Void
    ) {
        let first = chunk.stream & ~1
        let wasReadingTLS = isReadingTLS
        isReadingTLS = true
        exchange(layer, first)
        body(&self)
        exchange(layer, first)
        isReadingTLS = wasReadingTLS
    }

    private mutating func exchange(_ layer: SecuredStreams, _ first: Int) {
        let inner = layer.inner
        layer.inner = (streams[first], streams[first + 1])
        streams[first] = inner.0
        streams[first + 1] = inner.1
    }

    mutating func receiveSecuredGap(_ count: Int, _ chunk: StreamChunk) {
        let stream = chunk.stream
        guard let layer = secured[Int(streams[stream].layer)] else { return }
        takePassed(layer, stream)
        let direction = layer.session.directions[stream & 1]
        direction.giveBack(streams[stream].remaining)
        streams[stream].remaining = 0
        direction.receiveGap(count)
    }

    /// One direction of a TLS connection ended.
    mutating func endSecuredStream(_ chunk: StreamChunk, inOrder: Bool) {
        guard let layer = secured[Int(streams[chunk.stream].layer)] else { return }
        withInner(layer, chunk) { $0.endStream(chunk, inOrder: inOrder) }
    }

    /// The connection is over: what is known of its TLS is kept.
    mutating func endSecured(_ chunk: StreamChunk) {
        let index = streams[chunk.stream].layer
        guard let layer = secured[Int(index)] else { return }
        for stream in [chunk.stream, chunk.stream ^ 1] { takePassed(layer, stream) }
        withInner(layer, chunk) { $0.end(chunk) }
        for stream in [chunk.stream, chunk.stream ^ 1] {
            streams[stream].layer = -1
            streams[stream].mode = .opaque
        }
        let facts = layer.session.finish()
        if !facts.isDecrypted { contents[chunk.connection].isEncrypted = true }
        tlsConnections.append(facts)
        secured[Int(index)] = nil
        freeSecured.append(index)
    }
}
