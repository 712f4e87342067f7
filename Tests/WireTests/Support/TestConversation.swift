/// Writes the segments of one connection, and keeps the sequence numbers of both ends.
struct TestConversation {
    private(set) var segments: [TestSegment] = []
    private var next: (client: UInt32, server: UInt32)
    var clientPort: UInt16 = 40_000
    var serverPort: UInt16 = 80

    /// Starts with the handshake, unless the capture is to begin in the middle.
    init(
        clientStart: UInt32 = 1000,
        serverStart: UInt32 = 9000,
        clientPort: UInt16 = 40_000,
        serverPort: UInt16 = 80,
        handshake: Bool = true
    ) {
        next = (clientStart, serverStart)
        self.clientPort = clientPort
        self.serverPort = serverPort
        guard handshake else { return }
        add(fromClient: true, flags: TestSegment.syn)
        add(fromClient: false, flags: TestSegment.syn | TestSegment.ack)
        add(fromClient: true)
    }

    private mutating func add(fromClient: Bool, flags: UInt8 = TestSegment.ack, payload: [UInt8] = []) {
        segments.append(
            TestSegment(
                fromClient: fromClient,
                flags: flags,
                sequence: fromClient ? next.client : next.server,
                acknowledgement: flags & TestSegment.ack == 0 ? 0 : fromClient ? next.server : next.client,
                payload: payload,
                clientPort: clientPort,
                serverPort: serverPort
            )
        )
        let consumed = UInt32(payload.count) + (flags & 3 == 0 ? 0 : 1)
        if fromClient { next.client &+= consumed } else { next.server &+= consumed }
    }

    mutating func client(_ text: String, flags: UInt8 = TestSegment.ack) {
        add(fromClient: true, flags: flags, payload: Array(text.utf8))
    }

    mutating func server(_ text: String, flags: UInt8 = TestSegment.ack) {
        add(fromClient: false, flags: flags, payload: Array(text.utf8))
    }

    mutating func client(bytes: [UInt8]) { add(fromClient: true, payload: bytes) }
    mutating func server(bytes: [UInt8]) { add(fromClient: false, payload: bytes) }

    /// Sends what the capture will lack.
    mutating func lostFromClient(_ text: String) { next.client &+= UInt32(text.utf8.count) }
    mutating func lostFromServer(_ text: String) { next.server &+= UInt32(text.utf8.count) }

    mutating func acknowledge(fromClient: Bool) { add(fromClient: fromClient) }

    mutating func close() {
        add(fromClient: true, flags: TestSegment.fin | TestSegment.ack)
        add(fromClient: false, flags: TestSegment.fin | TestSegment.ack)
        add(fromClient: true)
    }

    mutating func finish(fromClient: Bool) { add(fromClient: fromClient, flags: TestSegment.fin | TestSegment.ack) }
    mutating func reset(fromClient: Bool) { add(fromClient: fromClient, flags: TestSegment.rst | TestSegment.ack) }
}
