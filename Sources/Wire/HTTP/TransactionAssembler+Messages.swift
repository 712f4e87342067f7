import AuthScanBytes

extension TransactionAssembler {
    mutating func read(
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

    func directionOf(_ stream: Int) -> Direction { stream & 1 == 0 ? .fromA : .fromB }

    mutating func receiveRequest(_ head: MessageHead, _ place: MessagePlace) {
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
        if let early = pairings[place.live].takeEarly(end: place.end) {
            transactions[Int(early)].request = request
            transactions[Int(early)].isPairingCertain = true
            return beginBody(head.requestFraming, early, place)
        }
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

    mutating func receiveResponse(
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

    func response(_ head: MessageHead, _ place: MessagePlace) -> HTTPResponse {
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
    mutating func put(
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
        let index = append(
            HTTPTransaction(
                number: 0,
                connection: place.chunk.connection + 1,
                tunnel: tunnels.isEmpty ? nil : tunnels[place.live],
                request: nil,
                response: response,
                isPairingCertain: false
            )
        )
        pairings[place.live].noteEarly(index, acknowledgement: place.chunk.acknowledgement)
        return index
    }

    mutating func append(_ transaction: HTTPTransaction) -> Int32 {
        guard transactions.count < limits.transactions else {
            transactionsLeftOut += 1
            return -1
        }
        transactions.append(transaction)
        return Int32(transactions.count - 1)
    }

    /// - Source: RFC 9110 §15.2.2.
    mutating func switchProtocol(
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
    mutating func openTunnel(_ request: WaitingRequest?, _ place: MessagePlace) {
        let index = Int(request?.transaction ?? -1)
        let authority = index >= 0 ? transactions[index].request?.target : nil
        let wasDamaged = streams[place.stream].isDamaged || streams[place.stream ^ 1].isDamaged
        reset(place.live)
        streams[place.stream].isDamaged = wasDamaged
        streams[place.stream ^ 1].isDamaged = wasDamaged
        tunnels[place.live] = authority ?? ""
    }

    mutating func beginBody(_ framing: BodyFraming, _ transaction: Int32, _ place: MessagePlace) {
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
    mutating func endMessage(_ stream: Int, isComplete: Bool) {
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
