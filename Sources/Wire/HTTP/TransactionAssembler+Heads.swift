import AuthScanBytes

extension TransactionAssembler {
    /// What starts here, at a message boundary or at the start of a stream.
    mutating func begin(
        _ bytes: RawSpan,
        at position: inout Int,
        _ chunk: StreamChunk
    ) {
        let stream = chunk.stream
        // RFC 9112 §2.2: a server should ignore at least one empty line before a request line; some servers send them, too.
        while streams[stream].kind != .unknown, position < bytes.byteCount,
            bytes.byte(position) == 0x0D || bytes.byte(position) == 0x0A
        {
            position += 1
        }
        guard position < bytes.byteCount else { return }
        switch StartLine.opening(bytes, from: position) {
        case .request where streams[stream].kind != .responses:
            beginHead(bytes, at: &position, isResponse: false, chunk)
        case .response where streams[stream].kind != .requests:
            beginHead(bytes, at: &position, isResponse: true, chunk)
        case .undecided:
            carry(bytes, from: position, chunk, isRecognised: false)
            position = bytes.byteCount
        case .tls: beginTLS(chunk)
        case .http2: beginHTTP2(chunk)
        case .request, .response, .other: if !beginKDC(chunk) { passOver(stream) }
        }
    }

    /// Nothing of the connection is read from here on.
    mutating func leave(
        _ stream: Int,
        _ applicationProtocol: ApplicationProtocol,
        _ chunk: StreamChunk
    ) {
        contents[chunk.connection].applicationProtocol = applicationProtocol
        for direction in [stream, stream ^ 1] {
            dropHead(direction)
            streams[direction].transaction = -1
            streams[direction].mode = .opaque
        }
    }

    /// What starts here is no HTTP; what follows may be, behind the handshake of a SOCKS proxy or in the middle of a capture.
    mutating func passOver(_ stream: Int) { streams[stream].mode = .resync }

    mutating func beginHead(
        _ bytes: RawSpan,
        at position: inout Int,
        isResponse: Bool,
        _ chunk: StreamChunk
    ) {
        var head = MessageHead()
        guard let end = parser.parse(bytes, from: position, isResponse: isResponse, into: &head) else {
            carry(bytes, from: position, chunk, isRecognised: true)
            position = bytes.byteCount
            return
        }
        let evidence = MessageEvidence(
            firstPacket: chunk.packet,
            headPacket: chunk.packet,
            lastPacket: chunk.packet,
            firstTime: chunk.time,
            headTime: chunk.time,
            lastTime: chunk.time
        )
        position = end
        if isReadingTLS, isResponse, CertificateNotice.isPossible(head.status) {
            head.certificateNotice = CertificateNotice.find(in: bytes.extracting(end..<bytes.byteCount))
        }
        let headEnd = chunk.sequence.advanced(by: end)
        let place = MessagePlace(chunk: chunk, evidence: evidence, end: headEnd, isComplete: true)
        receive(head, isResponse: isResponse, place)
    }

    mutating func carry(_ bytes: RawSpan, from start: Int, _ chunk: StreamChunk, isRecognised: Bool) {
        let index = freeHeads.popLast() ?? Int32(heads.count)
        if index == heads.count { heads.append(CarriedHead()) }
        var head = CarriedHead()
        head.bytes.append(bytes.extracting(start..<bytes.byteCount))
        head.isRecognised = isRecognised
        head.firstPacket = chunk.packet
        head.firstTime = chunk.time
        heads[Int(index)] = head
        streams[chunk.stream].carry = index
        streams[chunk.stream].mode = .head
    }

    mutating func dropHead(_ stream: Int) {
        let index = streams[stream].carry
        guard index >= 0 else { return }
        heads[Int(index)] = CarriedHead()
        freeHeads.append(index)
        streams[stream].carry = -1
        streams[stream].mode = .start
    }

    mutating func takeHead(_ stream: Int) -> CarriedHead {
        let head = heads[Int(streams[stream].carry)]
        dropHead(stream)
        return head
    }

    /// Adds bytes to the carried head, until its end is there, or it turns out to be none, or it is too long.
    mutating func continueHead(
        _ bytes: RawSpan,
        at position: inout Int,
        _ chunk: StreamChunk
    ) {
        let stream = chunk.stream
        let index = Int(streams[stream].carry)
        let room = limits.headBytes - heads[index].bytes.count
        let start = position
        let taken = min(room, bytes.byteCount - position)
        heads[index].bytes.append(bytes.extracting(position..<(position + taken)))
        position += taken
        let opening = heads[index].isRecognised ? [] : heads[index].bytes
        guard heads[index].isRecognised || recognise(index, chunk) else {
            // What was carried is no start line, but this packet may begin with one.
            if streams[stream].mode == .resync { position = start }
            if streams[stream].mode == .secured || streams[stream].mode == .http2 {
                readCarriedOpening(opening, chunk, end: chunk.sequence.advanced(by: position))
            }
            return
        }
        var scanned = heads[index].scanned
        let end = withBytes(of: heads[index].bytes) { HeadParser.end(of: $0, from: 0, scanned: &scanned) }
        heads[index].scanned = scanned
        if let end {
            position -= heads[index].bytes.count - end
            let headEnd = chunk.sequence.advanced(by: position)
            readCarried(takeHead(stream), until: end, chunk, headEnd, isComplete: true)
        } else if taken == room {
            headsCut += 1
            readDamagedHead(chunk)
            loseTrack(stream)
        }
    }

    /// Reads the first bytes of what turned out to be TLS or HTTP/2.
    private mutating func readCarriedOpening(
        _ opening: [UInt8],
        _ chunk: StreamChunk,
        end: SequenceNumber
    ) {
        var own = chunk
        own.sequence = end.advanced(by: -opening.count)
        withBytes(of: opening) { consume($0, own) }
    }

    /// Decides, once enough bytes are there, whether carried bytes are a head.
    mutating func recognise(_ index: Int, _ chunk: StreamChunk) -> Bool {
        let stream = chunk.stream
        switch withBytes(of: heads[index].bytes, { StartLine.opening($0, from: 0) }) {
        case .undecided: return false
        case .request where streams[stream].kind != .responses, .response where streams[stream].kind != .requests:
            heads[index].isRecognised = true
            return true
        case .tls:
            dropHead(stream)
            beginTLS(chunk)
        case .http2:
            dropHead(stream)
            beginHTTP2(chunk)
        case .request, .response, .other:
            dropHead(stream)
            passOver(stream)
        }
        return false
    }

    /// Reads what there is of a carried head whose end will not come; `false` where its start line is not even whole.
    @discardableResult
    mutating func readDamagedHead(_ chunk: StreamChunk) -> Bool {
        let head = takeHead(chunk.stream)
        streams[chunk.stream].mode = .resync
        guard head.isRecognised, head.bytes.contains(0x0A) else { return false }
        readCarried(head, until: head.bytes.count, chunk, chunk.sequence, isComplete: false)
        return true
    }

    mutating func readCarried(
        _ head: CarriedHead,
        until end: Int,
        _ chunk: StreamChunk,
        _ headEnd: SequenceNumber,
        isComplete: Bool
    ) {
        let evidence = MessageEvidence(
            firstPacket: head.firstPacket,
            headPacket: max(head.firstPacket, chunk.packet),
            lastPacket: max(head.firstPacket, chunk.packet),
            firstTime: head.firstTime,
            headTime: chunk.time,
            lastTime: chunk.time
        )
        let place = MessagePlace(chunk: chunk, evidence: evidence, end: headEnd, isComplete: isComplete)
        var message = MessageHead()
        let isResponse = withBytes(of: head.bytes) { bytes in
            let isResponse = StartLine.opening(bytes, from: 0) == .response
            parser.parse(bytes.extracting(0..<end), isResponse: isResponse, into: &message)
            return isResponse
        }
        receive(message, isResponse: isResponse, place)
    }
}
