import AuthScanBytes

/// Where a head was found.
struct MessagePlace {
    let chunk: StreamChunk
    let evidence: MessageEvidence
    /// The sequence number behind the head.
    let end: SequenceNumber
    let isComplete: Bool

    var stream: Int { chunk.stream }
    var live: Int { chunk.stream >> 1 }
}

extension TransactionAssembler {
    /// Takes a head that was read.
    mutating func receive(
        _ head: MessageHead,
        isResponse: Bool,
        _ place: MessagePlace
    ) {
        let connection = place.chunk.connection
        contents[connection].client = isResponse ? place.chunk.direction.opposite : place.chunk.direction
        contents[connection].applicationProtocol = head.version == .http10 ? .http10 : .http11
        streams[place.stream].kind = isResponse ? .responses : .requests
        if streams[place.stream ^ 1].kind == .unknown {
            streams[place.stream ^ 1].kind = isResponse ? .requests : .responses
        }
        if isResponse { receiveResponse(head, place) } else { receiveRequest(head, place) }
    }

    mutating func receiveRequest(_ head: MessageHead, _ place: MessagePlace) {
        let request = StoredRequest(
            head,
            place.evidence,
            version: head.version,
            isHeadComplete: place.isComplete && !head.isCut
        )
        if let index = pairings[place.live].adopt(requestEndingAt: place.end) {
            transactions[Int(index)].request = request
            transactions[Int(index)].isPairingCertain = true
            firstPackets[Int(index)] = UInt32(clamping: place.evidence.firstPacket)
            return beginBody(head.requestFraming, index, place)
        }
        let index = append(
            StoredTransaction(
                connection: place.chunk.connection + 1,
                request: request,
                response: nil
            ),
            tunnel: tunnels.isEmpty ? nil : tunnels[place.live],
            beginningWith: place.evidence.firstPacket
        )
        if pairings[place.live].count < min(limits.pipelineDepth, TransactionPairing.largestCount) {
            let method = WaitingRequest.Method(head.method)
            pairings[place.live].add(
                WaitingRequest(transaction: index, method: method, end: place.end),
                in: &waiting
            )
        } else {
            requestsLeftOut += 1
        }
        // The bytes behind CONNECT's head are the tunnel's, should the proxy open it.
        beginBody(head.method == .connect ? .length(0) : head.requestFraming, index, place)
    }

    mutating func receiveResponse(
        _ head: MessageHead,
        _ place: MessagePlace
    ) {
        if head.status == 101, head.framing.upgrade == .http2 { return upgradeToHTTP2(head, place) }
        if (100..<200).contains(head.status), head.status != 101 {
            parser.discardFields()
            if let next = pairings[place.live].next, next.transaction >= 0 {
                noteInterim(head.status, of: next.transaction)
            }
            streams[place.stream].mode = .start
            return
        }
        let request = pairings[place.live].claim(acknowledgement: place.chunk.acknowledgement, in: &waiting)
        let index = put(response(head, place), answering: request, at: place)
        if head.status == 101 {
            // RFC 9110 §15.2.2: the connection goes on in the protocol named.
            beginBody(.length(0), index, place)
            // RFC 2817 §3.3: TLS begins behind the answer, from either side, and is found by its first record.
            if head.framing.upgrade == .tls { return reset(place.live) }
            leave(place.stream, head.framing.upgrade, place.chunk)
        } else if request?.method == .connect, (200..<300).contains(head.status) {
            beginBody(.length(0), index, place)
            openTunnel(request, place)
        } else {
            beginBody(head.responseFraming(answering: request?.method), index, place)
        }
    }

    /// The server goes over to HTTP/2, in which it answers the request as stream 1.
    ///
    /// - Source: RFC 7540 §3.2.
    private mutating func upgradeToHTTP2(
        _ head: MessageHead,
        _ place: MessagePlace
    ) {
        let request = pairings[place.live].claim(acknowledgement: place.chunk.acknowledgement, in: &waiting)
        // The response in HTTP/2 takes its place, should one come.
        let index = put(response(head, place), answering: request, at: place)
        beginBody(.length(0), index, place)
        beginHTTP2(place.chunk, upgraded: index)
    }

    func response(_ head: MessageHead, _ place: MessagePlace) -> StoredResponse {
        StoredResponse(
            head,
            place.evidence,
            version: head.version,
            isHeadComplete: place.isComplete && !head.isCut
        )
    }

    /// Puts a response beside its request, or into a transaction of its own.
    mutating func put(
        _ response: StoredResponse,
        answering request: WaitingRequest?,
        at place: MessagePlace
    ) -> Int32 {
        let isCertain = !pairings[place.live].isUncertain
        if let request, request.transaction >= 0 {
            transactions[Int(request.transaction)].response = response
            transactions[Int(request.transaction)].isPairingCertain = isCertain
            return request.transaction
        }
        guard request == nil else {
            parser.discardFields()
            return -1
        }
        let index = append(
            StoredTransaction(
                connection: place.chunk.connection + 1,
                request: nil,
                response: response,
                isPairingCertain: false
            ),
            tunnel: tunnels.isEmpty ? nil : tunnels[place.live],
            beginningWith: place.evidence.firstPacket
        )
        pairings[place.live].remember(orphan: index, acknowledgement: place.chunk.acknowledgement)
        return index
    }

    /// Adds a transaction, which goes through a tunnel or none; −1 where there are too many.
    mutating func append(
        _ transaction: StoredTransaction,
        tunnel: String?,
        beginningWith packet: Int
    ) -> Int32 {
        guard transactions.count < limits.transactions else {
            transactionsLeftOut += 1
            parser.discardFields()
            return -1
        }
        transactions.append(transaction)
        firstPackets.append(UInt32(clamping: packet))
        if let tunnel { noteRare(transactions.count - 1) { $0.tunnel = tunnel } }
        if isReadingTLS {
            transactions[transactions.count - 1].isSecure = true
            isAnyDecrypted = true
        }
        return Int32(transactions.count - 1)
    }

    /// From here on the connection carries what the client and the far server say to each other.
    ///
    /// - Source: RFC 9110 §9.3.6.
    mutating func openTunnel(_ request: WaitingRequest?, _ place: MessagePlace) {
        let index = Int(request?.transaction ?? -1)
        let authority = index >= 0 ? transactions[index].request.map(parser.target) : nil
        let wasDamaged = streams[place.stream].isDamaged || streams[place.stream ^ 1].isDamaged
        reset(place.live)
        streams[place.stream].isDamaged = wasDamaged
        streams[place.stream ^ 1].isDamaged = wasDamaged
        tunnels[place.live] = authority ?? ""
    }

    mutating func beginBody(_ framing: BodyFraming, _ transaction: Int32, _ place: MessagePlace) {
        let stream = place.stream
        var state = streams[stream]
        state.transaction = transaction
        state.isDamaged = !place.isComplete
        let isEndKnown = place.isComplete && framing != .unknown
        if isEndKnown { state.begin(framing) }
        streams[stream] = state
        guard place.isComplete else { return loseTrack(stream) }
        watchBody(transaction, isResponse: state.kind == .responses)
        if !isEndKnown { return loseTrack(stream) }
        if framing == .length(0) { endMessage(stream, isComplete: true) }
    }

    /// Ends the message being read.
    mutating func endMessage(_ stream: Int, isComplete: Bool) {
        let state = streams[stream]
        streams[stream].end()
        if !kdcBodies.isEmpty {
            let isWhole = isComplete && !state.isDamaged
            endBody(state.transaction, isResponse: state.kind == .responses, isWhole: isWhole)
        }
        guard state.transaction >= 0, isComplete, !state.isDamaged else { return }
        let index = Int(state.transaction)
        if state.kind == .responses {
            transactions[index].response?.isBodyComplete = true
        } else {
            transactions[index].request?.isBodyComplete = true
        }
    }
}
