extension TransactionAssembler {
    /// Takes a direction that is no HTTP as one of a key distribution center, where the port is that of one.
    mutating func beginKDC(_ chunk: StreamChunk) -> Bool {
        guard !kdcEnds.isEmpty, streams[chunk.stream].kind == .unknown, let ends = kdcEnds[chunk.stream >> 1] else {
            return false
        }
        let answers: Direction = ends.b.port == KerberosPort.kdc ? .fromB : .fromA
        contents[chunk.connection].client = answers.opposite
        contents[chunk.connection].applicationProtocol = .kerberos
        kdc.open(
            chunk.stream,
            client: ends.sender(answers.opposite),
            server: ends.sender(answers),
            isFromClient: chunk.direction != answers,
            connection: chunk.connection + 1
        )
        streams[chunk.stream].mode = .kdc
        return true
    }
}
