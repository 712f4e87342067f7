import AuthScanBytes

// TLS between TCP and HTTP: a direction whose records open is read as a clear one is.
//
// While content of a TLS connection is read, the streams of the TCP connection stand for what lies inside: they change places with
// those that read the records. So everything above works alike, in the clear, in TLS, in a tunnel, and in TLS within a tunnel within TLS.

/// A TLS connection, and how far the reading of what it carries has come.
final class SecuredStreams {
    let session: TLSSession
    /// The streams inside, *a* → *b* and *b* → *a*.
    var inner = [MessageStream(), MessageStream()]
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
        guard let layer = secured[Int(streams[chunk.stream].layer)] else { return position = bytes.byteCount }
        let session = layer.session
        while let content = session.next(bytes, at: &position, chunk) {
            noteClient(layer, chunk)
            var inner = chunk
            // The content's last byte counts as sent with its record's last byte: acknowledgements cover both at once.
            inner.sequence = chunk.sequence.advanced(by: position - content.count)
            let plaintext = material.takePlaintext()
            withInner(layer, chunk) { assembler in
                if content.lost > 0 { assembler.receiveGap(content.lost, inner) }
                assembler.beginKnownProtocol(session, inner)
                guard assembler.streams[chunk.stream].mode != .opaque else { return }
                withBytes(of: plaintext) {
                    let bytes = $0.extracting(0..<content.count)
                    assembler.noteCertificateWords(in: bytes, inner.stream)
                    assembler.consume(bytes, inner)
                }
            }
            material.giveBack(plaintext)
        }
        noteClient(layer, chunk)
    }

    /// Once a hello has told who the client is, the whole connection knows.
    private mutating func noteClient(_ layer: SecuredStreams, _ chunk: StreamChunk) {
        guard !layer.hasNotedClient, let client = layer.session.clientDirection else { return }
        layer.hasNotedClient = true
        contents[chunk.connection].client = directionOf(client)
    }

    /// Looks for what the page of a refusal says of certificates, where it comes in records of its own.
    private mutating func noteCertificateWords(in bytes: RawSpan, _ stream: Int) {
        let index = Int(streams[stream].transaction)
        guard index >= 0, streams[stream].kind == .responses, let status = transactions[index].response?.status,
            CertificateNotice.isPossible(status), transactions[index].response?.bodyBytes == 0
        else { return }
        transactions[index].response?.certificateNotice = CertificateNotice.find(in: bytes)
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
        for offset in 0...1 { swap(&layer.inner[offset], &streams[first + offset]) }
    }

    mutating func receiveSecuredGap(_ count: Int, _ chunk: StreamChunk) {
        secured[Int(streams[chunk.stream].layer)]?.session.directions[chunk.stream & 1].receiveGap(count)
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
