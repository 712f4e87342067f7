extension TokenEncoder {
    /// `AP-REQ [service=] [realm=] [etype=] [kvno=] [size=]`, in GSS-API framing.
    ///
    /// `size` counts the encrypted bytes of the ticket, 900 unless given.
    ///
    /// - Source: RFC 4120 §5.5.1, §5.3; RFC 4121 §4.1.
    func apReq(_ expression: inout TokenExpression) throws(TranscriptError) -> [UInt8] {
        let service = expression.take("service") ?? "HTTP/intranet.example"
        let realm = expression.take("realm") ?? "CORP.EXAMPLE"
        let encryptionType = try expression.takeNumber("etype") ?? 18
        let version = try expression.takeNumber("kvno") ?? 3
        let size = try expression.takeNumber("size") ?? 900
        guard (0...100_000).contains(size) else { throw expression.error("size=\(size) is not within 0 to 100000") }
        var generator = SeededGenerator(from: "ap-req \(service)@\(realm)|\(position)")
        let ticket = DERWriter.application(
            1,
            DERWriter.sequence([
                DERWriter.tagged(0, DERWriter.integer(5)),
                DERWriter.tagged(1, DERWriter.generalString(realm)),
                DERWriter.tagged(2, principalName(service)),
                DERWriter.tagged(3, encryptedData(encryptionType, keyVersion: version, generator.bytes(size))),
            ])
        )
        let request = DERWriter.application(
            14,
            DERWriter.sequence([
                DERWriter.tagged(0, DERWriter.integer(5)),
                DERWriter.tagged(1, DERWriter.integer(14)),
                DERWriter.tagged(2, DERWriter.bitString(0x2000_0000)),  // mutual-required
                DERWriter.tagged(3, ticket),
                DERWriter.tagged(4, encryptedData(encryptionType, keyVersion: nil, generator.bytes(160))),
            ])
        )
        return gssToken(mechanism: MechanismName.kerberos.arcs, [1, 0] + request)
    }

    /// `AP-REP [etype=]`, in GSS-API framing.
    ///
    /// - Source: RFC 4120 §5.5.2.
    func apRep(_ expression: inout TokenExpression) throws(TranscriptError) -> [UInt8] {
        let encryptionType = try expression.takeNumber("etype") ?? 18
        var generator = SeededGenerator(from: "ap-rep \(position)")
        let reply = DERWriter.application(
            15,
            DERWriter.sequence([
                DERWriter.tagged(0, DERWriter.integer(5)),
                DERWriter.tagged(1, DERWriter.integer(15)),
                DERWriter.tagged(2, encryptedData(encryptionType, keyVersion: nil, generator.bytes(80))),
            ])
        )
        return gssToken(mechanism: MechanismName.kerberos.arcs, [2, 0] + reply)
    }

    /// `KRB-ERROR code= [service=] [realm=] [text=] [client=] [stime=]`, in GSS-API framing.
    func krbError(_ expression: inout TokenExpression) throws(TranscriptError) -> [UInt8] {
        gssToken(mechanism: MechanismName.kerberos.arcs, [3, 0] + (try bareKRBError(&expression)))
    }

    /// The same without framing, as a key distribution center sends it.
    ///
    /// - Source: RFC 4120 §5.9.1.
    func bareKRBError(_ expression: inout TokenExpression) throws(TranscriptError) -> [UInt8] {
        guard let code = try expression.takeNumber("code"), (0...0x7FFF_FFFF).contains(code) else {
            throw expression.error("KRB-ERROR needs code= with a number")
        }
        var fields = [
            DERWriter.tagged(0, DERWriter.integer(5)),
            DERWriter.tagged(1, DERWriter.integer(30)),
            DERWriter.tagged(4, DERWriter.generalizedTime(expression.take("stime") ?? "20260105090000Z")),
            DERWriter.tagged(5, DERWriter.integer(0)),
            DERWriter.tagged(6, DERWriter.integer(code)),
        ]
        if let client = expression.take("client") { fields.append(DERWriter.tagged(8, principalName(client))) }
        fields += [
            DERWriter.tagged(9, DERWriter.generalString(expression.take("realm") ?? "CORP.EXAMPLE")),
            DERWriter.tagged(10, principalName(expression.take("service") ?? "HTTP/intranet.example")),
        ]
        if let text = expression.take("text") { fields.append(DERWriter.tagged(11, DERWriter.generalString(text))) }
        return DERWriter.application(30, DERWriter.sequence(fields))
    }

    /// PrincipalName of type NT-SRV-INST.
    ///
    /// - Source: RFC 4120 §5.2.2, §6.2.
    func principalName(_ name: String) -> [UInt8] {
        let components = name.split(separator: "/", omittingEmptySubsequences: false)
        return DERWriter.sequence([
            DERWriter.tagged(0, DERWriter.integer(2)),
            DERWriter.tagged(1, DERWriter.sequence(components.map { DERWriter.generalString(String($0)) })),
        ])
    }

    /// EncryptedData with made-up ciphertext.
    ///
    /// - Source: RFC 4120 §5.2.9.
    func encryptedData(_ encryptionType: Int, keyVersion: Int?, _ cipher: [UInt8]) -> [UInt8] {
        var fields = [DERWriter.tagged(0, DERWriter.integer(encryptionType))]
        if let keyVersion { fields.append(DERWriter.tagged(1, DERWriter.integer(keyVersion))) }
        fields.append(DERWriter.tagged(2, DERWriter.octetString(cipher)))
        return DERWriter.sequence(fields)
    }
}
