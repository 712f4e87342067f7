extension TransactionAssembler {
    /// Takes a direction that is no HTTP as one of a key distribution center, where the port is that of one.
    mutating func beginKDC(_ chunk: StreamChunk, _ tracker: inout ConnectionTracker) -> Bool {
        let index = chunk.connection
        guard streams[chunk.stream].kind == .unknown,
            let answers = tracker.connections[index].direction(fromPort: KerberosPort.kdc)
        else { return false }
        tracker.noteClient(answers.opposite, of: index)
        tracker.connections[index].applicationProtocol = .kerberos
        let ends = [tracker.connections[index].client, tracker.connections[index].server]
        let isServerLast = ends[1].port == KerberosPort.kdc
        kdc.open(
            chunk.stream,
            client: ends[isServerLast ? 0 : 1],
            server: ends[isServerLast ? 1 : 0],
            isFromClient: directionOf(chunk.stream) != answers,
            connection: index + 1
        )
        streams[chunk.stream].mode = .kdc
        return true
    }
}
