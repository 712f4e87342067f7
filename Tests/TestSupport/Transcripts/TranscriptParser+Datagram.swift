extension TranscriptParser {
    /// `> AS-REQ …`, `< KRB-ERROR …`, `from 192.0.2.11 > AS-REQ …`.
    mutating func readDatagram(_ text: Substring) throws(TranscriptError) {
        var words = text.split(separator: " ", omittingEmptySubsequences: true)[...]
        var client = HostEndpoint(HostAddress(192, 0, 2, 10), port: 52_001 + kdcRequests)
        if words.first == "from" {
            client = try endpoint(words.dropFirst().first.map { String($0) }, portUnlessGiven: client.port)
            words = words.dropFirst(2)
        }
        guard let direction = words.popFirst(), direction == ">" || direction == "<" else {
            throw error("expected 'kdc >' or 'kdc <' and a message")
        }
        let expression = words.joined(separator: " ")
        let payload = try tokens.kdcMessage(TokenExpression(expression.drop { $0 == "↓" }, line: line))
        let server = HostEndpoint(HostAddress(198, 51, 100, 88), port: 88)
        tokens.position += 1
        if direction == ">" {
            kdcRequests += 1
            kdcClient = client
        }
        guard let asking = kdcClient else { throw error("nothing was asked that this could answer") }
        append(
            .datagram(
                TranscriptDatagram(
                    source: direction == ">" ? asking : server,
                    destination: direction == ">" ? server : asking,
                    payload: payload,
                    isMarked: expression.hasPrefix("↓")
                )
            )
        )
    }
}
