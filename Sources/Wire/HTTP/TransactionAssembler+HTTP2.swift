import AuthScanBytes

// HTTP/2: the frames of a connection become the same transactions as the messages of HTTP/1.

extension TransactionAssembler {
    /// The connection is HTTP/2 from here on.
    ///
    /// `upgraded` is the transaction whose request asked for it, and stream 1 (RFC 7540 §3.2). With `isMidstream` its start
    /// was not captured: either direction may be inside a frame.
    mutating func beginHTTP2(
        _ chunk: StreamChunk,
        upgraded: Int32? = nil,
        isMidstream: Bool = false
    ) {
        let isDamaged = streams[chunk.stream].isDamaged || streams[chunk.stream ^ 1].isDamaged
        let session = HTTP2Session(
            connection: chunk.connection + 1,
            tunnel: tunnels[chunk.stream >> 1],
            isSecure: isReadingTLS,
            isFromStart: !isDamaged && !isMidstream,
            isMidstream: isMidstream
        )
        if let upgraded { session.streams[1] = HTTP2Session.Stream(transaction: upgraded, isRequestEnded: true) }
        // Only a client sends the preface, or asks for the upgrade.
        if upgraded == nil, !isReadingTLS, !isMidstream {
            contents[chunk.connection].client = chunk.direction
        }
        let index = freeHTTP2.popLast() ?? Int32(http2.count)
        if index == http2.count { http2.append(nil) }
        http2[Int(index)] = session
        leave(chunk.stream, .http2, chunk)
        for stream in [chunk.stream, chunk.stream ^ 1] {
            streams[stream].layer = index
            streams[stream].mode = .http2
        }
    }

    /// Takes a connection whose start the capture lacks as HTTP/2.
    ///
    /// - Returns: Whether the packet begins with frames, where nothing else was recognised before.
    mutating func beginHTTP2Midstream(_ bytes: RawSpan, _ chunk: StreamChunk) -> Bool {
        let index = chunk.connection
        guard !isReadingTLS, !chunk.isStartSeen, contents[index].applicationProtocol == .other,
            streams[chunk.stream].kind == .unknown, streams[chunk.stream ^ 1].kind == .unknown,
            HTTP2FrameHeader.isChain(bytes)
        else { return false }
        beginHTTP2(chunk, isMidstream: true)
        return true
    }

    mutating func readHTTP2(
        _ bytes: RawSpan,
        at position: inout Int,
        _ chunk: StreamChunk
    ) {
        guard let session = http2[Int(streams[chunk.stream].layer)] else { return position = bytes.byteCount }
        let direction = session.directions[chunk.stream & 1]
        while let event = direction.next(bytes, at: &position, chunk) {
            switch event {
            case .data(let header, let count, let isLast):
                let content = bytes.extracting((position - count)..<position)
                if !kdcBodies.isEmpty {
                    keepBody(content, header, session, isRequest: side(chunk) == .client)
                }
                if isReadingTLS, let stream = session.streams[header.stream], side(chunk) == .server {
                    noteCertificateWords(in: content, ofResponse: stream.transaction)
                }
                receiveData(header, count, isLast, session, chunk)
            case .frame(let header): receiveFrame(header, direction, session, chunk)
            }
        }
    }

    mutating func receiveHTTP2Gap(_ count: Int, _ chunk: StreamChunk) {
        guard let session = http2[Int(streams[chunk.stream].layer)] else { return }
        let direction = session.directions[chunk.stream & 1]
        let frame = direction.frame
        if direction.receiveGap(count), let stream = frame?.stream {
            session.streams[stream]?.isDamaged = true
        } else {
            session.noteDamage()
        }
    }

    /// The connection is over: what is known of it is kept.
    mutating func endHTTP2(_ chunk: StreamChunk) {
        let index = streams[chunk.stream].layer
        for stream in [chunk.stream, chunk.stream ^ 1] {
            streams[stream].layer = -1
            streams[stream].mode = .opaque
        }
        guard let session = http2[Int(index)] else { return }
        if !kdcBodies.isEmpty { endBodies(of: session) }
        http2Connections.append(session.facts)
        http2[Int(index)] = nil
        freeHTTP2.append(index)
    }

    private func side(_ chunk: StreamChunk) -> Side {
        chunk.direction == client(of: chunk) ? .client : .server
    }
}

// MARK: - Frames

extension TransactionAssembler {
    private mutating func receiveFrame(
        _ header: HTTP2FrameHeader,
        _ direction: HTTP2Direction,
        _ session: HTTP2Session,
        _ chunk: StreamChunk
    ) {
        let payload = direction.payload
        switch header.kind {
        case .headers, .pushPromise:
            beginBlock(header, payload, direction, chunk)
            if header.flags & HTTP2FrameHeader.endHeaders != 0 { endBlock(direction, session, chunk) }
        case .continuation:
            guard direction.block?.stream == header.stream || direction.block?.isPromise == true else { return }
            guard (direction.block?.bytes.count ?? 0) + payload.count <= HTTP2Direction.payloadLimit else {
                return direction.loseHeaderState()
            }
            direction.block?.bytes += payload
            if header.flags & HTTP2FrameHeader.endHeaders != 0 { endBlock(direction, session, chunk) }
        case .resetStream where payload.count == 4:
            noteReset(header, HTTP2Connection.ErrorCode(rawValue: number(payload, 0)), session, chunk)
        case .goAway where payload.count >= 8: noteGoAway(payload, session, chunk)
        case .settings where header.flags & HTTP2FrameHeader.acknowledgement == 0:
            receiveSettings(payload, session.directions[(chunk.stream & 1) ^ 1])
        default: break
        }
    }

    private func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A table may become larger once its sender has seen that; a smaller one is announced in a header block.
    ///
    /// - Source: RFC 9113 §6.5.2 (SETTINGS_HEADER_TABLE_SIZE); RFC 7541 §4.2.
    private func receiveSettings(_ payload: [UInt8], _ sender: HTTP2Direction) {
        for offset in stride(from: 0, through: payload.count - 6, by: 6)
        where payload[offset] == 0 && payload[offset + 1] == 1 {
            let size = Int(number(payload, offset + 2))
            if size > TransactionAssembler.usualTableSize {
                sender.allowTableSize(min(size, TransactionAssembler.largestTableSize))
            }
        }
    }

    /// - Source: RFC 9113 §6.5.2: the initial value.
    private static let usualTableSize = 4096
    /// The largest table that is kept; browsers allow 65,536 bytes.
    private static let largestTableSize = 1 << 20

    private func noteReset(
        _ header: HTTP2FrameHeader,
        _ code: HTTP2Connection.ErrorCode,
        _ session: HTTP2Session,
        _ chunk: StreamChunk
    ) {
        session.reset(header.stream, by: side(chunk))
        guard session.facts.resets.count < HTTP2Session.noteLimit else { return }
        session.facts.resets.append(
            HTTP2Connection.Reset(
                stream: Int(header.stream),
                from: side(chunk),
                code: code,
                packet: chunk.packet
            )
        )
    }

    private func noteGoAway(
        _ payload: [UInt8],
        _ session: HTTP2Session,
        _ chunk: StreamChunk
    ) {
        guard session.facts.goAways.count < HTTP2Session.noteLimit else { return }
        session.facts.goAways.append(
            HTTP2Connection.GoAway(
                lastStream: Int(number(payload, 0) & 0x7FFF_FFFF),
                from: side(chunk),
                code: HTTP2Connection.ErrorCode(rawValue: number(payload, 4)),
                debugData: fieldText(payload[8...].prefix(TransactionAssembler.debugLimit)),
                packet: chunk.packet
            )
        )
    }

    /// How many bytes of the words in a GOAWAY are kept.
    private static let debugLimit = 256

    private mutating func receiveData(
        _ header: HTTP2FrameHeader,
        _ count: Int,
        _ isLast: Bool,
        _ session: HTTP2Session,
        _ chunk: StreamChunk
    ) {
        guard let stream = session.streams[header.stream] else { return }
        let index = Int(stream.transaction)
        let isRequest = side(chunk) == .client
        if index >= 0, isRequest {
            transactions[index].request?.evidence.noteLast(chunk.packet, chunk.time)
            transactions[index].request?.bodyBytes += count
        } else if index >= 0 {
            transactions[index].response?.evidence.noteLast(chunk.packet, chunk.time)
            transactions[index].response?.bodyBytes += count
        }
        if isLast, header.flags & HTTP2FrameHeader.endStream != 0 {
            endMessage(of: header.stream, isRequest: isRequest, session)
        }
    }
}

// MARK: - Header blocks

extension TransactionAssembler {
    /// - Source: RFC 9113 §6.2 and §6.6.
    private func beginBlock(
        _ header: HTTP2FrameHeader,
        _ payload: [UInt8],
        _ direction: HTTP2Direction,
        _ chunk: StreamChunk
    ) {
        var fragment = payload[...]
        if header.flags & HTTP2FrameHeader.padded != 0 {
            fragment = fragment.dropFirst().dropLast(Int(payload.first ?? 0))
        }
        var stream = header.stream
        if header.kind == .pushPromise {
            guard fragment.count >= 4 else { return direction.loseHeaderState() }
            stream = fragment.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            fragment = fragment.dropFirst(4)
        } else if header.flags & HTTP2FrameHeader.priority != 0 {
            fragment = fragment.dropFirst(5)
        }
        direction.block = HTTP2Direction.Block(
            bytes: Array(fragment),
            stream: stream,
            endsStream: header.kind == .headers && header.flags & HTTP2FrameHeader.endStream != 0,
            isPromise: header.kind == .pushPromise,
            firstPacket: direction.firstPacket,
            firstTime: direction.firstTime
        )
    }

    private mutating func endBlock(
        _ direction: HTTP2Direction,
        _ session: HTTP2Session,
        _ chunk: StreamChunk
    ) {
        guard let block = direction.block else { return }
        direction.block = nil
        let fields = direction.fields(of: block.bytes, limit: limits.headBytes)
        if !direction.hasHeaderState { session.facts.lacksHeaderState = true }
        if session.isMidstream, !block.isPromise { noteClient(fields, chunk) }
        let isRequest = block.isPromise || side(chunk) == .client
        let evidence = MessageEvidence(
            firstPacket: block.firstPacket,
            headPacket: chunk.packet,
            lastPacket: chunk.packet,
            firstTime: block.firstTime,
            headTime: chunk.time,
            lastTime: chunk.time
        )
        if isRequest {
            receiveRequest(fields, block, evidence, session)
        } else {
            receiveResponse(fields, block, evidence, session)
        }
        if block.endsStream { endMessage(of: block.stream, isRequest: isRequest, session) }
    }

    /// Only a server sends a status, and only a client a method.
    private mutating func noteClient(_ fields: HTTP2Fields, _ chunk: StreamChunk) {
        let direction = chunk.direction
        if fields.status != nil {
            contents[chunk.connection].client = direction.opposite
        } else if fields.method != nil {
            contents[chunk.connection].client = direction
        }
    }

    private mutating func receiveRequest(
        _ fields: HTTP2Fields,
        _ block: HTTP2Direction.Block,
        _ evidence: MessageEvidence,
        _ session: HTTP2Session
    ) {
        guard session.streams[block.stream] == nil, session.streams.count < limits.pipelineDepth,
            let text = fields.requestHead()
        else {
            // Trailers, or a request of which too little is known.
            if let index = session.streams[block.stream]?.transaction, index >= 0 {
                transactions[Int(index)].request?.evidence.noteLast(evidence.lastPacket, evidence.lastTime)
            }
            return
        }
        var head = MessageHead()
        withBytes(of: text) { parser.parse($0, isResponse: false, into: &head) }
        let request = StoredRequest(head, evidence, version: .http2, isHeadComplete: fields.isComplete)
        let index = append(
            transaction(session, block.stream, request: request, response: nil),
            tunnel: session.tunnel,
            beginningWith: evidence.firstPacket
        )
        if let highest = session.highestRequest { session.highestRequest = max(highest, block.stream) }
        session.streams[block.stream] = HTTP2Session.Stream(transaction: index, isRequestEnded: block.isPromise)
        if block.isPromise, index >= 0 { transactions[Int(index)].request?.isBodyComplete = true }
        watchBody(index, isResponse: false)
    }

    private func transaction(
        _ session: HTTP2Session,
        _ stream: UInt32,
        request: StoredRequest?,
        response: StoredResponse?
    ) -> StoredTransaction {
        StoredTransaction(
            connection: session.facts.connection,
            stream: Int(stream),
            request: request,
            response: response
        )
    }

    private mutating func receiveResponse(
        _ fields: HTTP2Fields,
        _ block: HTTP2Direction.Block,
        _ evidence: MessageEvidence,
        _ session: HTTP2Session
    ) {
        guard let status = fields.status, let text = fields.responseHead() else {
            // Trailers, or a response of which too little is known.
            if let index = session.streams[block.stream]?.transaction, index >= 0 {
                transactions[Int(index)].response?.evidence.noteLast(evidence.lastPacket, evidence.lastTime)
            }
            return
        }
        let known = session.streams[block.stream]
        // An answer to what was called off meanwhile.
        if known == nil, let highest = session.highestRequest, block.stream <= highest { return }
        if (100..<200).contains(status) {
            if let index = known?.transaction, index >= 0 { noteInterim(status, of: index) }
            return
        }
        var head = MessageHead()
        withBytes(of: text) { parser.parse($0, isResponse: true, into: &head) }
        let response = StoredResponse(head, evidence, version: .http2, isHeadComplete: fields.isComplete)
        if let known {
            guard known.transaction >= 0 else { return parser.discardFields() }
            let index = Int(known.transaction)
            if transactions[index].response?.status == 101 { noteInterim(101, of: known.transaction) }
            transactions[index].response = response
            watchBody(known.transaction, isResponse: true)
        } else if session.streams.count < limits.pipelineDepth {
            let index = append(
                transaction(session, block.stream, request: nil, response: response),
                tunnel: session.tunnel,
                beginningWith: evidence.firstPacket
            )
            session.streams[block.stream] = HTTP2Session.Stream(transaction: index, isRequestEnded: true)
        } else {
            parser.discardFields()
        }
    }

    /// One side of a stream has ended in order.
    private mutating func endMessage(of stream: UInt32, isRequest: Bool, _ session: HTTP2Session) {
        guard var state = session.streams[stream] else { return }
        if !kdcBodies.isEmpty { endBody(state.transaction, isResponse: !isRequest, isWhole: !state.isDamaged) }
        let index = Int(state.transaction)
        if isRequest {
            state.isRequestEnded = true
            if index >= 0, !state.isDamaged { transactions[index].request?.isBodyComplete = true }
        } else {
            state.isResponseEnded = true
            if index >= 0, !state.isDamaged { transactions[index].response?.isBodyComplete = true }
        }
        session.streams[stream] = state.isRequestEnded && state.isResponseEnded ? nil : state
    }
}
