extension TokenEncoder {
    /// A message to or from a key distribution center: `AS-REQ`, `AS-REP`, `TGS-REQ`, `TGS-REP`, `KRB-ERROR`; `hex` and
    /// bytes for a recorded one.
    func kdcMessage(_ expression: TokenExpression) throws(TranscriptError) -> [UInt8] {
        var expression = expression
        let cut = try expression.takeNumber("cut")
        let message: [UInt8]
        switch expression.words.joined(separator: " ") {
        case "AS-REQ": message = try kdcRequest(10, &expression)
        case "TGS-REQ": message = try kdcRequest(12, &expression)
        case "AS-REP": message = try kdcReply(11, &expression)
        case "TGS-REP": message = try kdcReply(13, &expression)
        case "KRB-ERROR": message = try bareKRBError(&expression)
        case _ where expression.words.count == 2 && expression.words[0] == "hex":
            guard let bytes = decodeHex(expression.words[1]), !bytes.isEmpty else {
                throw expression.error("hex needs bytes in hexadecimal")
            }
            message = bytes
        default: throw expression.error("no message of a key distribution center")
        }
        try expression.finish()
        return cut.map { Array(message.prefix($0)) } ?? message
    }

    /// `KDC-PROXY` and one of these messages: the body of an HTTP message to or from a KDC proxy.
    ///
    /// - Source: MS-KKDCP §2.2.2.
    func kdcProxyMessage(_ expression: TokenExpression) throws(TranscriptError) -> [UInt8] {
        let message = try kdcMessage(TokenExpression(expression.remainder, line: 0))
        let length = (0..<4).map { UInt8(truncatingIfNeeded: message.count >> (24 - 8 * $0)) }
        let isRequest = message.first == 0x6A || message.first == 0x6C
        let target = isRequest ? [DERWriter.tagged(1, DERWriter.generalString("CORP.EXAMPLE"))] : []
        return DERWriter.sequence([DERWriter.tagged(0, DERWriter.octetString(length + message))] + target)
    }

    /// - Source: RFC 4120 §5.4.1.
    private func kdcRequest(_ type: UInt8, _ expression: inout TokenExpression) throws(TranscriptError) -> [UInt8] {
        let realm = expression.take("realm") ?? "CORP.EXAMPLE"
        let client = expression.take("client") ?? "alice"
        let service = expression.take("service") ?? "krbtgt/\(realm)"
        let types = (expression.take("etypes") ?? "18,17").split(separator: ",").map { Int($0) }
        guard !types.contains(nil) else { throw expression.error("etypes= needs numbers") }
        var body = [DERWriter.tagged(0, DERWriter.bitString(0x4081_0010))]
        if type == 10 { body.append(DERWriter.tagged(1, principalName(client))) }
        body += [
            DERWriter.tagged(2, DERWriter.generalString(realm)),
            DERWriter.tagged(3, principalName(service)),
            DERWriter.tagged(5, DERWriter.generalizedTime("20260106090000Z")),
            DERWriter.tagged(7, DERWriter.integer(1000 + position)),
            DERWriter.tagged(8, DERWriter.sequence(types.map { DERWriter.integer($0 ?? 0) })),
        ]
        return DERWriter.application(
            type,
            DERWriter.sequence([
                DERWriter.tagged(1, DERWriter.integer(5)),
                DERWriter.tagged(2, DERWriter.integer(Int(type))),
                DERWriter.tagged(4, DERWriter.sequence(body)),
            ])
        )
    }

    /// - Source: RFC 4120 §5.4.2, §5.3.
    private func kdcReply(_ type: UInt8, _ expression: inout TokenExpression) throws(TranscriptError) -> [UInt8] {
        let realm = expression.take("realm") ?? "CORP.EXAMPLE"
        let client = expression.take("client") ?? "alice"
        let service = expression.take("service") ?? "krbtgt/\(realm)"
        let encryptionType = try expression.takeNumber("etype") ?? 18
        var generator = SeededGenerator(from: "kdc-rep \(client) \(service)@\(realm)|\(position)")
        let ticket = DERWriter.application(
            1,
            DERWriter.sequence([
                DERWriter.tagged(0, DERWriter.integer(5)),
                DERWriter.tagged(1, DERWriter.generalString(realm)),
                DERWriter.tagged(2, principalName(service)),
                DERWriter.tagged(3, encryptedData(encryptionType, keyVersion: 2, generator.bytes(300))),
            ])
        )
        return DERWriter.application(
            type,
            DERWriter.sequence([
                DERWriter.tagged(0, DERWriter.integer(5)),
                DERWriter.tagged(1, DERWriter.integer(Int(type))),
                DERWriter.tagged(3, DERWriter.generalString(realm)),
                DERWriter.tagged(4, principalName(client)),
                DERWriter.tagged(5, ticket),
                DERWriter.tagged(6, encryptedData(encryptionType, keyVersion: nil, generator.bytes(200))),
            ])
        )
    }
}
