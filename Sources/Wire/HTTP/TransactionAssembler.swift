import AuthScanBytes

/// Stage 4: finds HTTP/1 messages in the ordered bytes of each direction, and pairs them into transactions.
///
/// The rules of the assembler:
/// - A direction is HTTP when it starts with a start line, whatever the port; what starts otherwise is passed over. A
///   connection whose beginning the capture lacks, or a direction that lost its place, is looked through for start lines.
/// - A head that lies in one packet is read where it lies; only one that spans packets is copied.
/// - Bodies are passed over by length. A gap inside a body of known length is passed over with it.
/// - What the bytes show (which end is the client, what a tunnel carries) is noted in the connection's summary.
struct TransactionAssembler {
    private(set) var transactions: [HTTPTransaction] = []
    private(set) var transactionsLeftOut = 0

    private var streams: [MessageStream] = []
    private var pairings: [TransactionPairing] = []
    /// The authority of the CONNECT tunnel, by pool index; sparse.
    private var tunnels: [Int: String] = [:]
    private var heads: [CarriedHead] = []
    private var freeHeads: [Int32] = []
    private var parser: HeadParser
    private let limits: Limits

    init(limits: Limits) {
        self.limits = limits
        parser = HeadParser(valueLimit: limits.fieldValueBytes)
    }

    /// Takes the chunks of one packet.
    @inline(__always)
    mutating func receive(_ output: borrowing StreamOutput, frame: RawSpan, tracker: inout ConnectionTracker) {
        for index in output.chunks.indices {
            let chunk = output.chunks[index]
            switch chunk.content {
            case .bytes(let buffer, let start, let count):
                if streams[chunk.stream].mode == .opaque { continue }
                if buffer < 0 {
                    consume(frame.extracting(start..<(start &+ count)), chunk, &tracker)
                } else {
                    withBytes(of: output.buffers[buffer]) {
                        consume($0.extracting(start..<(start + count)), chunk, &tracker)
                    }
                }
            case .gap(let count): receiveGap(count, chunk, &tracker)
            case .opened: open(chunk, tracker)
            case .finished: endStream(chunk, &tracker)
            case .ended: end(chunk, &tracker)
            }
        }
    }

    /// The transactions in the order of their first packets, numbered.
    mutating func finish() -> [HTTPTransaction] {
        var result: [HTTPTransaction] = []
        swap(&result, &transactions)
        let isOrdered = zip(result, result.dropFirst()).allSatisfy { $0.firstPacket <= $1.firstPacket }
        if !isOrdered {
            let order = result.indices.sorted { (result[$0].firstPacket, $0) < (result[$1].firstPacket, $1) }
            result = order.map { result[$0] }
        }
        for index in result.indices { result[index].number = index + 1 }
        return result
    }
}

// MARK: - Beginning and end

extension TransactionAssembler {
    private mutating func open(_ chunk: StreamChunk, _ tracker: ConnectionTracker) {
        let live = chunk.stream >> 1
        while pairings.count <= live {
            pairings.append(TransactionPairing())
            streams.append(MessageStream())
            streams.append(MessageStream())
        }
        reset(live)
        tunnels[live] = nil
    }

    private mutating func reset(_ live: Int) {
        streams[live * 2] = MessageStream()
        streams[live * 2 + 1] = MessageStream()
        pairings[live].reset()
    }

    /// A direction ended in order: a body that ends with the connection is complete.
    private mutating func endStream(_ chunk: StreamChunk, _ tracker: inout ConnectionTracker) {
        let mode = streams[chunk.stream].mode
        if mode == .head { readDamagedHead(chunk, &tracker) }
        if streams[chunk.stream].transaction >= 0 { endMessage(chunk.stream, isComplete: mode == .untilClose) }
        streams[chunk.stream].mode = .opaque
    }

    private mutating func end(_ chunk: StreamChunk, _ tracker: inout ConnectionTracker) {
        for stream in [chunk.stream, chunk.stream ^ 1] {
            var own = chunk
            own.stream = stream
            if streams[stream].mode != .opaque { endStream(own, &tracker) }
            dropHead(stream)
        }
        tunnels[chunk.stream >> 1] = nil
        pairings[chunk.stream >> 1].reset()
    }

    private mutating func receiveGap(_ count: Int, _ chunk: StreamChunk, _ tracker: inout ConnectionTracker) {
        let stream = chunk.stream
        streams[stream].isDamaged = true
        if streams[stream].kind != .responses { pairings[stream >> 1].lacksRequests = true }
        switch streams[stream].mode {
        case .opaque, .untilClose: break
        case .start, .resync: loseMessage(stream)
        case .head:
            if !readDamagedHead(chunk, &tracker) { loseMessage(stream) }
            loseTrack(stream)
        case .body:
            let remaining = streams[stream].remaining
            streams[stream].remaining = remaining - count
            if count < remaining { break }
            endMessage(stream, isComplete: true)
            if count > remaining { loseMessage(stream) }
        case .chunkData where count < streams[stream].remaining: streams[stream].remaining -= count
        case .chunkData, .chunkSize, .chunkExtension, .chunkEnd, .trailers: loseTrack(stream)
        }
    }

    /// A gap swallowed the start of a message.
    private mutating func loseMessage(_ stream: Int) {
        if streams[stream].kind == .responses { pairings[stream >> 1].skip() }
        streams[stream].mode = .resync
    }

    /// The end of the message being read cannot be told.
    private mutating func loseTrack(_ stream: Int) {
        if streams[stream].transaction >= 0 { endMessage(stream, isComplete: false) }
        streams[stream].mode = .resync
    }
}

// MARK: - Bytes

extension TransactionAssembler {
    @inline(__always)
    private mutating func consume(_ bytes: RawSpan, _ chunk: StreamChunk, _ tracker: inout ConnectionTracker) {
        let stream = chunk.stream
        var position = 0
        if streams[stream].transaction >= 0 {
            streams[stream].lastPacket = UInt32(truncatingIfNeeded: chunk.packet)
            streams[stream].lastTime = chunk.time
        }
        while position < bytes.byteCount {
            switch streams[stream].mode {
            case .body: passBody(bytes, at: &position, stream)
            case .chunkData: passChunkData(bytes, at: &position, stream)
            case .start: begin(bytes, at: &position, chunk, &tracker)
            case .head: continueHead(bytes, at: &position, chunk, &tracker)
            case .chunkSize, .chunkExtension, .chunkEnd, .trailers: readChunkFraming(bytes, at: &position, stream)
            case .untilClose:
                streams[stream].bodyBytes += bytes.byteCount - position
                position = bytes.byteCount
            case .resync: resynchronise(bytes, at: &position, chunk)
            case .opaque: return
            }
        }
    }

    @inline(__always)
    private mutating func passBody(_ bytes: RawSpan, at position: inout Int, _ stream: Int) {
        let count = min(streams[stream].remaining, bytes.byteCount - position)
        position += count
        streams[stream].remaining -= count
        streams[stream].bodyBytes += count
        if streams[stream].remaining == 0 { endMessage(stream, isComplete: true) }
    }

    @inline(__always)
    private mutating func passChunkData(_ bytes: RawSpan, at position: inout Int, _ stream: Int) {
        let count = min(streams[stream].remaining, bytes.byteCount - position)
        position += count
        streams[stream].remaining -= count
        streams[stream].bodyBytes += count
        if streams[stream].remaining == 0 { streams[stream].mode = .chunkEnd }
    }

    /// One byte of what frames the chunks.
    ///
    /// - Source: RFC 9112 §7.1.
    private mutating func readChunkFraming(_ bytes: RawSpan, at position: inout Int, _ stream: Int) {
        let byte = bytes.byte(position)
        position += 1
        streams[stream].bodyBytes += 1
        switch streams[stream].mode {
        case .chunkSize: readChunkSize(byte, stream)
        case .chunkExtension: if byte == 0x0A { beginChunk(stream) }
        case .chunkEnd:
            if byte == 0x0A { beginChunkSize(stream) } else if byte != 0x0D { loseTrack(stream) }
        default: readTrailer(byte, stream)
        }
    }

    private mutating func readChunkSize(_ byte: UInt8, _ stream: Int) {
        if let digit = hexadecimalDigit(byte) {
            guard streams[stream].remaining < 1 << 56 else { return loseTrack(stream) }
            streams[stream].remaining = streams[stream].remaining << 4 | digit
            streams[stream].hasDigit = true
        } else if !streams[stream].hasDigit {
            loseTrack(stream)
        } else if byte == 0x0A {
            beginChunk(stream)
        } else if byte == 0x0D || byte == 0x3B || byte == 0x20 || byte == 0x09 {
            streams[stream].mode = .chunkExtension
        } else {
            loseTrack(stream)
        }
    }

    private func hexadecimalDigit(_ byte: UInt8) -> Int? {
        if StartLine.isDigit(byte) { return Int(byte &- 0x30) }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? Int(letter) + 10 : nil
    }

    private mutating func beginChunkSize(_ stream: Int) {
        streams[stream].mode = .chunkSize
        streams[stream].remaining = 0
        streams[stream].hasDigit = false
    }

    private mutating func beginChunk(_ stream: Int) {
        streams[stream].mode = streams[stream].remaining == 0 ? .trailers : .chunkData
    }

    /// The trailer section ends with an empty line.
    private mutating func readTrailer(_ byte: UInt8, _ stream: Int) {
        if byte == 0x0A {
            if streams[stream].remaining == 0 { return endMessage(stream, isComplete: true) }
            streams[stream].remaining = 0
        } else if byte != 0x0D {
            streams[stream].remaining += 1
        }
    }

    /// Looks for a start line: at the start of the packet, and at the start of each line for the kind that is known.
    private mutating func resynchronise(_ bytes: RawSpan, at position: inout Int, _ chunk: StreamChunk) {
        var start = position
        while start < bytes.byteCount {
            let opening = mayBegin(bytes, at: start, chunk.stream) ? StartLine.opening(bytes, from: start) : .other
            switch opening {
            case .request where streams[chunk.stream].kind != .responses,
                .response where streams[chunk.stream].kind != .requests:
                position = start
                streams[chunk.stream].mode = .start
                return
            default: break
            }
            guard streams[chunk.stream].kind != .unknown, let lineFeed = bytes.firstIndex(of: 0x0A, from: start)
            else { break }
            start = lineFeed + 1
        }
        position = bytes.byteCount
    }

    /// A cheap look at the first byte: inside a packet, `H` of a status line or a capital letter of a method.
    private func mayBegin(_ bytes: RawSpan, at start: Int, _ stream: Int) -> Bool {
        if start == 0 { return true }
        let byte = bytes.byte(start)
        return streams[stream].kind == .responses ? byte == 0x48 : byte &- 0x41 < 26
    }
}

// MARK: - Heads

extension TransactionAssembler {
    /// What starts here, at a message boundary or at the start of a stream.
    private mutating func begin(
        _ bytes: RawSpan,
        at position: inout Int,
        _ chunk: StreamChunk,
        _ tracker: inout ConnectionTracker
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
        case .request where streams[stream].kind != .responses,
            .response where streams[stream].kind != .requests:
            beginHead(bytes, at: &position, chunk, &tracker)
        case .undecided:
            carry(bytes, from: position, chunk, isRecognised: false)
            position = bytes.byteCount
        case .tls:
            tracker.connections[chunk.connection].isEncrypted = true
            leave(stream, .tls, chunk, &tracker)
        case .http2: leave(stream, .http2, chunk, &tracker)
        case .request, .response, .other: passOver(stream, tracker.connections[chunk.connection].startSeen)
        }
    }

    /// Nothing of the connection is read from here on.
    private mutating func leave(
        _ stream: Int,
        _ applicationProtocol: ApplicationProtocol,
        _ chunk: StreamChunk,
        _ tracker: inout ConnectionTracker
    ) {
        tracker.connections[chunk.connection].applicationProtocol = applicationProtocol
        streams[stream].mode = .opaque
        streams[stream ^ 1].mode = .opaque
        dropHead(stream ^ 1)
    }

    /// What starts here is no HTTP.
    ///
    /// A direction seen from its first byte stays what it is; one that was HTTP, or whose start is missing, may come back.
    private mutating func passOver(_ stream: Int, _ startSeen: Bool) {
        let isStrange = streams[stream].kind == .unknown && startSeen && !streams[stream].isDamaged
        streams[stream].mode = isStrange ? .opaque : .resync
    }

    private mutating func beginHead(
        _ bytes: RawSpan,
        at position: inout Int,
        _ chunk: StreamChunk,
        _ tracker: inout ConnectionTracker
    ) {
        var scanned = 0
        guard let end = HeadParser.end(of: bytes, from: position, scanned: &scanned) else {
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
        let range = position..<end
        position = end
        let headEnd = chunk.sequence.advanced(by: end)
        read(bytes, range, MessagePlace(chunk: chunk, evidence: evidence, end: headEnd, isComplete: true), &tracker)
    }

    private mutating func carry(_ bytes: RawSpan, from start: Int, _ chunk: StreamChunk, isRecognised: Bool) {
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

    private mutating func dropHead(_ stream: Int) {
        let index = streams[stream].carry
        guard index >= 0 else { return }
        heads[Int(index)] = CarriedHead()
        freeHeads.append(index)
        streams[stream].carry = -1
    }

    private mutating func takeHead(_ stream: Int) -> CarriedHead {
        let head = heads[Int(streams[stream].carry)]
        dropHead(stream)
        return head
    }

    /// Adds bytes to the carried head, until its end is there, or it turns out to be none, or it is too long.
    private mutating func continueHead(
        _ bytes: RawSpan,
        at position: inout Int,
        _ chunk: StreamChunk,
        _ tracker: inout ConnectionTracker
    ) {
        let stream = chunk.stream
        let index = Int(streams[stream].carry)
        let room = limits.headBytes - heads[index].bytes.count
        let taken = min(room, bytes.byteCount - position)
        heads[index].bytes.append(bytes.extracting(position..<(position + taken)))
        position += taken
        guard heads[index].isRecognised || recognise(index, chunk, &tracker) else { return }
        var scanned = heads[index].scanned
        let end = withBytes(of: heads[index].bytes) { HeadParser.end(of: $0, from: 0, scanned: &scanned) }
        heads[index].scanned = scanned
        if let end {
            position -= heads[index].bytes.count - end
            let headEnd = chunk.sequence.advanced(by: position)
            readCarried(takeHead(stream), until: end, chunk, headEnd, isComplete: true, &tracker)
        } else if taken == room {
            readDamagedHead(chunk, &tracker)
            loseTrack(stream)
        }
    }

    /// Decides, once enough bytes are there, whether carried bytes are a head.
    private mutating func recognise(_ index: Int, _ chunk: StreamChunk, _ tracker: inout ConnectionTracker) -> Bool {
        let stream = chunk.stream
        switch withBytes(of: heads[index].bytes, { StartLine.opening($0, from: 0) }) {
        case .undecided: return false
        case .request where streams[stream].kind != .responses, .response where streams[stream].kind != .requests:
            heads[index].isRecognised = true
            return true
        case .tls:
            dropHead(stream)
            tracker.connections[chunk.connection].isEncrypted = true
            leave(stream, .tls, chunk, &tracker)
        case .http2:
            dropHead(stream)
            leave(stream, .http2, chunk, &tracker)
        case .request, .response, .other:
            dropHead(stream)
            passOver(stream, tracker.connections[chunk.connection].startSeen)
        }
        return false
    }

    /// Reads what there is of a carried head whose end will not come; `false` where its start line is not even whole.
    @discardableResult
    private mutating func readDamagedHead(_ chunk: StreamChunk, _ tracker: inout ConnectionTracker) -> Bool {
        let head = takeHead(chunk.stream)
        streams[chunk.stream].mode = .resync
        guard head.isRecognised, head.bytes.contains(0x0A) else { return false }
        readCarried(head, until: head.bytes.count, chunk, chunk.sequence, isComplete: false, &tracker)
        return true
    }

    private mutating func readCarried(
        _ head: CarriedHead,
        until end: Int,
        _ chunk: StreamChunk,
        _ headEnd: SequenceNumber,
        isComplete: Bool,
        _ tracker: inout ConnectionTracker
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
        withBytes(of: head.bytes) { read($0, 0..<end, place, &tracker) }
    }
}

/// Where a head was found.
private struct MessagePlace {
    let chunk: StreamChunk
    let evidence: MessageEvidence
    /// The sequence number behind the head.
    let end: SequenceNumber
    let isComplete: Bool

    var stream: Int { chunk.stream }
    var live: Int { chunk.stream >> 1 }
}

// MARK: - Messages

extension TransactionAssembler {
    private mutating func read(
        _ bytes: RawSpan,
        _ range: Range<Int>,
        _ place: MessagePlace,
        _ tracker: inout ConnectionTracker
    ) {
        let isResponse = StartLine.opening(bytes, from: range.lowerBound) == .response
        let head = parser.parse(bytes, range, isResponse: isResponse)
        let connection = place.chunk.connection
        tracker.noteClient(isResponse ? directionOf(place.stream ^ 1) : directionOf(place.stream), of: connection)
        tracker.connections[connection].applicationProtocol = head.version == "HTTP/1.0" ? .http10 : .http11
        streams[place.stream].kind = isResponse ? .responses : .requests
        if streams[place.stream ^ 1].kind == .unknown {
            streams[place.stream ^ 1].kind = isResponse ? .requests : .responses
        }
        if isResponse { receiveResponse(head, place, &tracker) } else { receiveRequest(head, place) }
    }

    private func directionOf(_ stream: Int) -> Direction { stream & 1 == 0 ? .fromA : .fromB }

    private mutating func receiveRequest(_ head: MessageHead, _ place: MessagePlace) {
        let request = HTTPRequest(
            evidence: place.evidence,
            method: head.method,
            target: head.target,
            version: head.version,
            fields: head.fields,
            isHeadComplete: place.isComplete,
            isBodyComplete: false,
            bodyBytes: 0
        )
        let index = append(
            HTTPTransaction(
                number: 0,
                connection: place.chunk.connection + 1,
                tunnel: tunnels.isEmpty ? nil : tunnels[place.live],
                request: request,
                response: nil
            )
        )
        if pairings[place.live].count < limits.pipelineDepth {
            pairings[place.live].add(
                WaitingRequest(transaction: index, method: WaitingRequest.Method(head.method), end: place.end)
            )
        }
        // The bytes behind CONNECT's head are the tunnel's, should the proxy open it.
        beginBody(head.method == "CONNECT" ? .length(0) : head.requestFraming, index, place)
    }

    private mutating func receiveResponse(
        _ head: MessageHead,
        _ place: MessagePlace,
        _ tracker: inout ConnectionTracker
    ) {
        if (100..<200).contains(head.status), head.status != 101 {
            if let next = pairings[place.live].next, next.transaction >= 0 {
                transactions[Int(next.transaction)].interimStatuses.append(head.status)
            }
            streams[place.stream].mode = .start
            return
        }
        let request = pairings[place.live].claim(acknowledgement: place.chunk.acknowledgement)
        let index = put(response(head, place), answering: request, at: place)
        let method = request?.method.name
        if head.status == 101 {
            switchProtocol(head, place, &tracker)
        } else if method == "CONNECT", (200..<300).contains(head.status) {
            openTunnel(request, place)
        } else {
            beginBody(head.responseFraming(answering: method), index, place)
        }
    }

    private func response(_ head: MessageHead, _ place: MessagePlace) -> HTTPResponse {
        HTTPResponse(
            evidence: place.evidence,
            status: head.status,
            version: head.version,
            fields: head.fields,
            isHeadComplete: place.isComplete,
            isBodyComplete: false,
            bodyBytes: 0
        )
    }

    /// Puts a response beside its request, or into a transaction of its own.
    private mutating func put(
        _ response: HTTPResponse,
        answering request: WaitingRequest?,
        at place: MessagePlace
    ) -> Int32 {
        let isCertain = !pairings[place.live].isUncertain
        if let request, request.transaction >= 0 {
            transactions[Int(request.transaction)].response = response
            transactions[Int(request.transaction)].isPairingCertain = isCertain
            return request.transaction
        }
        guard request == nil else { return -1 }
        return append(
            HTTPTransaction(
                number: 0,
                connection: place.chunk.connection + 1,
                tunnel: tunnels.isEmpty ? nil : tunnels[place.live],
                request: nil,
                response: response,
                isPairingCertain: false
            )
        )
    }

    private mutating func append(_ transaction: HTTPTransaction) -> Int32 {
        guard transactions.count < limits.transactions else {
            transactionsLeftOut += 1
            return -1
        }
        transactions.append(transaction)
        return Int32(transactions.count - 1)
    }

    /// - Source: RFC 9110 §15.2.2.
    private mutating func switchProtocol(
        _ head: MessageHead,
        _ place: MessagePlace,
        _ tracker: inout ConnectionTracker
    ) {
        let name = head.fields.text(of: .upgrade)?.lowercased() ?? ""
        let applicationProtocol: ApplicationProtocol =
            name.contains("websocket") ? .webSocket : name.contains("h2c") ? .http2 : .other
        leave(place.stream, applicationProtocol, place.chunk, &tracker)
    }

    /// From here on the connection carries what the client and the far server say to each other.
    ///
    /// - Source: RFC 9110 §9.3.6.
    private mutating func openTunnel(_ request: WaitingRequest?, _ place: MessagePlace) {
        let index = Int(request?.transaction ?? -1)
        let authority = index >= 0 ? transactions[index].request?.target : nil
        let wasDamaged = streams[place.stream].isDamaged || streams[place.stream ^ 1].isDamaged
        reset(place.live)
        streams[place.stream].isDamaged = wasDamaged
        streams[place.stream ^ 1].isDamaged = wasDamaged
        tunnels[place.live] = authority ?? ""
    }

    private mutating func beginBody(_ framing: BodyFraming, _ transaction: Int32, _ place: MessagePlace) {
        let stream = place.stream
        streams[stream].transaction = transaction
        streams[stream].bodyBytes = 0
        streams[stream].isDamaged = !place.isComplete
        streams[stream].lastPacket = UInt32(truncatingIfNeeded: place.evidence.lastPacket)
        streams[stream].lastTime = place.evidence.lastTime
        guard place.isComplete else { return loseTrack(stream) }
        switch framing {
        case .length(0): endMessage(stream, isComplete: true)
        case .length(let count):
            streams[stream].remaining = count
            streams[stream].mode = .body
        case .chunked: beginChunkSize(stream)
        case .untilClose: streams[stream].mode = .untilClose
        case .unknown: loseTrack(stream)
        }
    }

    /// Ends the message being read, and notes where it ended.
    private mutating func endMessage(_ stream: Int, isComplete: Bool) {
        let state = streams[stream]
        streams[stream].mode = .start
        streams[stream].transaction = -1
        streams[stream].isDamaged = false
        guard state.transaction >= 0 else { return }
        let isWhole = isComplete && !state.isDamaged
        let index = Int(state.transaction)
        if state.kind == .responses {
            transactions[index].response?.note(end: state, isComplete: isWhole)
        } else {
            transactions[index].request?.note(end: state, isComplete: isWhole)
        }
    }
}

extension HTTPRequest {
    fileprivate mutating func note(end state: MessageStream, isComplete: Bool) {
        evidence.lastPacket = max(evidence.lastPacket, Int(state.lastPacket))
        evidence.lastTime = state.lastTime
        bodyBytes = state.bodyBytes
        isBodyComplete = isComplete
    }
}

extension HTTPResponse {
    fileprivate mutating func note(end state: MessageStream, isComplete: Bool) {
        evidence.lastPacket = max(evidence.lastPacket, Int(state.lastPacket))
        evidence.lastTime = state.lastTime
        bodyBytes = state.bodyBytes
        isBodyComplete = isComplete
    }
}
