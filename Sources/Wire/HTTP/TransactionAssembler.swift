import AuthScanBytes
import AuthScanNativeCodecs

/// Stage 4: finds HTTP/1 messages in the ordered bytes of each direction, and pairs them into transactions.
///
/// The rules of the assembler:
/// - A direction is HTTP when it starts with a start line, whatever the port; what starts otherwise is passed over. A
///   connection whose beginning the capture lacks, or a direction that lost its place, is looked through for start lines.
/// - A head that lies in one packet is read where it lies; only one that spans packets is copied.
/// - Bodies are passed over by length. A gap inside a body of known length is passed over with it.
/// - What the bytes show of the connection itself (which end is the client, what a tunnel carries) is noted in `contents`, and
///   goes into its summary at the end: the packets are read ahead of the messages.
struct TransactionAssembler {
    var transactions: [StoredTransaction] = []
    /// What few of them have.
    private var rare: [StoredTransaction.Rare] = []
    /// The packet that each of them begins with.
    var firstPackets: [UInt32] = []
    var transactionsLeftOut = 0
    /// How many requests were not paired because too many were waiting on their connection.
    var requestsLeftOut = 0
    /// How many heads were not read to their end because they are too long.
    var headsCut = 0

    var streams: [MessageStream] = []
    var pairings: [TransactionPairing] = []
    var waiting = WaitingRequests()
    /// What the messages say of each connection, by its index.
    var contents: [ConnectionContent] = []
    /// The ends of the connections that a key distribution center may be at, by pool index; sparse.
    var kdcEnds: [Int: ConnectionEnds] = [:]
    /// The authority of the CONNECT tunnel, by pool index; sparse.
    var tunnels: [Int: String] = [:]
    var heads: [CarriedHead] = []
    var freeHeads: [Int32] = []
    var parser: HeadParser
    /// What is exchanged with key distribution centers.
    var kdc: KDCTraffic
    /// What goes through KDC proxies.
    var kdcBodies: KDCProxyBodies
    /// Secrets, and what the TLS connections share.
    let material: TLSMaterial
    /// The TLS connections that are open; see `MessageStream.layer`.
    var secured: [SecuredStreams?] = []
    var freeSecured: [Int32] = []
    /// What passes of them by the headers of the records, two for each: *a* → *b*, then *b* → *a*.
    var passed: [PassedRecords] = []
    /// Those that are over.
    var tlsConnections: [TLSConnection] = []
    /// Whether what is being read was decrypted.
    var isReadingTLS = false
    /// Whether any of the transactions was.
    var isAnyDecrypted = false
    /// The HTTP/2 connections that are open; see `MessageStream.layer`.
    var http2: [HTTP2Session?] = []
    var freeHTTP2: [Int32] = []
    /// Those that are over.
    var http2Connections: [HTTP2Connection] = []
    let limits: Limits

    init(limits: Limits) {
        self.limits = limits
        parser = HeadParser(valueLimit: limits.fieldValueBytes)
        material = TLSMaterial(limits: limits)
        kdc = KDCTraffic(limits: limits)
        kdcBodies = KDCProxyBodies(limits: limits)
        // Room that is not used costs nothing, and growing again and again leaves holes in the heap.
        transactions.reserveCapacity(min(limits.transactions, 1 << 18))
        transactions.useLargePages()
        firstPackets.reserveCapacity(min(limits.transactions, 1 << 18))
        streams.reserveCapacity(min(limits.connections, 1 << 18) * 2)
        pairings.reserveCapacity(min(limits.connections, 1 << 18))
    }

    /// Takes the chunks of a block of packets.
    mutating func receive(_ output: borrowing StreamOutput, in block: RawSpan) {
        for index in 0..<output.count {
            if index % TransactionAssembler.chunksLookedUp == 0 { lookUp(output, from: index, in: block) }
            let chunk = output[index]
            switch chunk.content {
            case .bytes(let buffer, let start, let count):
                if streams[chunk.stream].pass(Int(count)) { continue }
                let range = start..<(start &+ Int(count))
                if buffer < 0 {
                    consume(block.extracting(range), chunk)
                } else {
                    withBytes(of: output.buffers[Int(buffer)]) { consume($0.extracting(range), chunk) }
                }
            case .gap(let count): receiveGap(count, chunk)
            case .opened(let ends): open(chunk, ends < 0 ? nil : output.ends[ends])
            case .finished: endStream(chunk, inOrder: true)
            case .ended: end(chunk)
            case .datagram(let index): receive(output.datagrams[index], chunk)
            // Two blocks may part at a line without its end.
            case .secrets(let index): output.secrets[index].withRevealed { material.keyLog.receive($0 + [0x0A]) }
            }
        }
    }

    private mutating func receive(_ datagram: StreamOutput.Datagram, _ chunk: StreamChunk) {
        withBytes(of: datagram.bytes) {
            kdc.receive(datagram.segment, in: $0, packet: chunk.packet, time: chunk.time)
        }
    }

    /// The direction of the client, as far as is known now.
    func client(of chunk: StreamChunk) -> Direction {
        chunk.isStartSeen ? chunk.client : contents[chunk.connection].client ?? chunk.client
    }

    /// Hands what few transactions have to `body`, to be noted in.
    mutating func noteRare(_ transaction: Int, _ body: (inout StoredTransaction.Rare) -> Void) {
        if transactions[transaction].rare < 0 {
            transactions[transaction].rare = Int32(rare.count)
            rare.append(StoredTransaction.Rare())
        }
        body(&rare[Int(transactions[transaction].rare)])
    }

    /// Notes an interim response, or one that another took the place of.
    mutating func noteInterim(_ status: Int, of transaction: Int32) {
        noteRare(Int(transaction)) { $0.interimStatuses.append(status) }
    }

    /// Hands over what the messages say of each connection.
    mutating func takeContents() -> [ConnectionContent] { Swift.exchange(&contents, with: []) }

    /// The transactions, in the order of their first packets.
    mutating func finish() -> CapturedTransactions {
        let result = CapturedTransactions(
            transactions,
            rare: rare,
            order: TransactionAssembler.order(of: firstPackets),
            buffers: parser.takeBuffers(),
            hostCount: parser.hostCount,
            isAnyDecrypted: isAnyDecrypted
        )
        transactions = []
        rare = []
        firstPackets = []
        return result
    }

    /// The indices of what begins with these packets, in packet order; empty where they are in order.
    private static func order(of firstPackets: [UInt32]) -> [UInt32] {
        if zip(firstPackets, firstPackets.dropFirst()).allSatisfy({ $0 <= $1 }) { return [] }
        // A packet number and an index in one integer sort much faster than a pair.
        var keys = firstPackets.enumerated().map { UInt64($0.element) << 32 | UInt64($0.offset) }
        keys.sort()
        return keys.map { UInt32(truncatingIfNeeded: $0) }
    }
}

// MARK: - Beginning and end

extension TransactionAssembler {
    mutating func open(_ chunk: StreamChunk, _ ends: ConnectionEnds?) {
        while contents.count <= chunk.connection { contents.append(ConnectionContent()) }
        let live = chunk.stream >> 1
        while pairings.count <= live {
            pairings.append(TransactionPairing())
            streams.append(MessageStream())
            streams.append(MessageStream())
        }
        reset(live)
        if !tunnels.isEmpty { tunnels[live] = nil }
        if ends != nil || !kdcEnds.isEmpty { kdcEnds[live] = ends }
    }

    mutating func reset(_ live: Int) {
        dropHead(live * 2)
        dropHead(live * 2 + 1)
        streams[live * 2] = MessageStream()
        streams[live * 2 + 1] = MessageStream()
        pairings[live].reset(in: &waiting)
    }

    /// A direction ended; where it did so in order, a body that ends with the connection is complete.
    mutating func endStream(_ chunk: StreamChunk, inOrder: Bool) {
        let mode = streams[chunk.stream].mode
        if mode == .secured { return endSecuredStream(chunk, inOrder: inOrder) }
        if mode == .http2 { return }
        if mode == .kdc { kdc.end(chunk.stream) }
        if mode == .head { readDamagedHead(chunk) }
        if streams[chunk.stream].transaction >= 0 {
            endMessage(chunk.stream, isComplete: inOrder && mode == .untilClose)
        }
        streams[chunk.stream].mode = .opaque
    }

    mutating func end(_ chunk: StreamChunk) {
        if streams[chunk.stream].mode == .secured { endSecured(chunk) }
        if streams[chunk.stream].mode == .http2 { endHTTP2(chunk) }
        for stream in [chunk.stream, chunk.stream ^ 1] {
            var own = chunk
            own.stream = stream
            if streams[stream].mode != .opaque { endStream(own, inOrder: false) }
            dropHead(stream)
        }
        if !tunnels.isEmpty { tunnels[chunk.stream >> 1] = nil }
        pairings[chunk.stream >> 1].reset(in: &waiting)
    }

    mutating func receiveGap(_ count: Int, _ chunk: StreamChunk) {
        let stream = chunk.stream
        if streams[stream].mode == .secured { return receiveSecuredGap(count, chunk) }
        if streams[stream].mode == .http2 { return receiveHTTP2Gap(count, chunk) }
        if streams[stream].mode == .kdc { return kdc.receiveGap(count, chunk) }
        streams[stream].isDamaged = true
        if streams[stream].kind != .responses { pairings[stream >> 1].lacksRequests = true }
        switch streams[stream].mode {
        case .opaque, .untilClose, .secured, .http2, .kdc: break
        case .start, .resync: loseMessage(stream)
        case .head:
            if !readDamagedHead(chunk) { loseMessage(stream) }
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
    mutating func loseMessage(_ stream: Int) {
        if streams[stream].kind == .responses { pairings[stream >> 1].skip(in: &waiting) }
        streams[stream].mode = .resync
    }

    /// The end of the message being read cannot be told.
    mutating func loseTrack(_ stream: Int) {
        if streams[stream].transaction >= 0 { endMessage(stream, isComplete: false) }
        streams[stream].mode = .resync
    }
}
