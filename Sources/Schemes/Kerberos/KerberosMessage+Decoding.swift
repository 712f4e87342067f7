public import AuthScanBytes

extension KerberosMessage {
    /// Decodes a Kerberos message, in GSS-API framing (RFC 4121 §4.1) or bare.
    ///
    /// Throws where the bytes are no AP-REQ, AP-REP or KRB-ERROR, or one of these is damaged.
    ///
    /// - Source: RFC 4120 §5.5 and §5.9.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        guard bytes.first == 0x60 else {
            self = try KerberosMessage.decode(bytes, thisMech: nil, base: 0)
            return
        }
        var reader = DERReader(bytes)
        let framing = try reader.read(0x60, as: "InitialContextToken")
        var inner = try reader.reader(of: framing)
        let mechanism = MechanismType(rawValue: try inner.read(as: "thisMech").objectIdentifier(as: "thisMech"))
        let start = inner.offset - framing.contentOffset
        // TOK_ID: two octets before the message (RFC 4121 §4.1).
        guard framing.content.count >= start + 2 else {
            throw DecodeError(
                .truncated(needed: 2, available: framing.content.count - start),
                "TOK_ID",
                offset: inner.offset
            )
        }
        let message = framing.content.dropFirst(start + 2)
        self = try KerberosMessage.decode(message, thisMech: mechanism, base: inner.offset + 2)
    }

    private static func decode(
        _ bytes: ArraySlice<UInt8>,
        thisMech: MechanismType?,
        base: Int
    ) throws(DecodeError) -> KerberosMessage {
        do throws(DecodeError) {
            var reader = DERReader(bytes)
            let message = try reader.read(as: "KerberosMessage")
            var inside = try reader.reader(of: message)
            let sequence = try inside.read(DERNode.sequence, as: "KerberosMessage")
            var fields = try inside.reader(of: sequence)
            switch message.tag {
            case 0x6E: return .apReq(try APReq(&fields, thisMech))
            case 0x6F: return .apRep(try APRep(&fields, thisMech))
            case 0x7E: return .krbError(try KRBError(&fields, thisMech))
            default: throw DecodeError(.invalidValue("no AP-REQ, AP-REP or KRB-ERROR"), "KerberosMessage", offset: 0)
            }
        } catch {
            throw error.moved(by: base)
        }
    }
}

extension APReq {
    /// ```
    /// AP-REQ ::= [APPLICATION 14] SEQUENCE {
    ///     pvno [0] INTEGER (5), msg-type [1] INTEGER (14), ap-options [2] APOptions,
    ///     ticket [3] Ticket, authenticator [4] EncryptedData }
    /// ```
    fileprivate init(_ fields: inout DERReader, _ mechanism: MechanismType?) throws(DecodeError) {
        thisMech = mechanism
        pvno = try fields.readField(0, as: "pvno").integer(as: "pvno")
        msgType = try fields.readField(1, as: "msg-type").integer(as: "msg-type")
        apOptions = try fields.readField(2, as: "ap-options").flags(as: "ap-options")
        let wrapper = try fields.read(0xA3, as: "ticket")
        var inside = try fields.reader(of: wrapper)
        ticket = try Ticket(&inside)
        authenticator = try EncryptedPart(&fields, 4, "authenticator")
    }
}

extension APRep {
    /// `AP-REP ::= [APPLICATION 15] SEQUENCE { pvno [0], msg-type [1] (15), enc-part [2] EncryptedData }`.
    fileprivate init(_ fields: inout DERReader, _ mechanism: MechanismType?) throws(DecodeError) {
        thisMech = mechanism
        pvno = try fields.readField(0, as: "pvno").integer(as: "pvno")
        msgType = try fields.readField(1, as: "msg-type").integer(as: "msg-type")
        encPart = try EncryptedPart(&fields, 2, "enc-part")
    }
}

extension Ticket {
    /// `Ticket ::= [APPLICATION 1] SEQUENCE { tkt-vno [0], realm [1], sname [2], enc-part [3] }`.
    fileprivate init(_ reader: inout DERReader) throws(DecodeError) {
        let ticket = try reader.read(0x61, as: "ticket")
        var inside = try reader.reader(of: ticket)
        let sequence = try inside.read(DERNode.sequence, as: "ticket")
        var fields = try inside.reader(of: sequence)
        tktVno = try fields.readField(0, as: "tkt-vno").integer(as: "tkt-vno")
        realm = try fields.readField(1, as: "realm").text(as: "realm")
        sname = try PrincipalName(&fields, 2, "sname")
        encPart = try EncryptedPart(&fields, 3, "enc-part")
    }
}

extension EncryptedPart {
    /// `EncryptedData ::= SEQUENCE { etype [0] Int32, kvno [1] UInt32 OPTIONAL, cipher [2] OCTET STRING }`.
    fileprivate init(_ reader: inout DERReader, _ number: UInt8, _ field: String) throws(DecodeError) {
        var fields = try reader.readSequence(number, as: field)
        etype = EncryptionType(rawValue: try fields.readField(0, as: "etype").integer(as: "etype"))
        let version = try fields.readOptional(1, as: "kvno")
        kvno = try version?.integer(as: "kvno")
        cipher = Secret(Array(try fields.readField(2, as: "cipher").octets(as: "cipher")))
    }
}

extension PrincipalName {
    /// `PrincipalName ::= SEQUENCE { name-type [0] Int32, name-string [1] SEQUENCE OF KerberosString }`.
    fileprivate init(_ reader: inout DERReader, _ number: UInt8, _ field: String) throws(DecodeError) {
        var fields = try reader.readSequence(number, as: field)
        nameType = try fields.readField(0, as: "name-type").integer(as: "name-type")
        var names = try fields.readSequence(1, as: "name-string")
        var parts: [String] = []
        while !names.isAtEnd, parts.count < 16 {
            parts.append(try names.read(as: "name-string").text(as: "name-string"))
        }
        nameString = parts
    }
}

extension KRBError {
    /// ```
    /// KRB-ERROR ::= [APPLICATION 30] SEQUENCE {
    ///     pvno [0], msg-type [1] (30), ctime [2] OPTIONAL, cusec [3] OPTIONAL, stime [4], susec [5], error-code [6],
    ///     crealm [7] OPTIONAL, cname [8] OPTIONAL, realm [9], sname [10], e-text [11] OPTIONAL, e-data [12] OPTIONAL }
    /// ```
    fileprivate init(_ fields: inout DERReader, _ mechanism: MechanismType?) throws(DecodeError) {
        thisMech = mechanism
        pvno = try fields.readField(0, as: "pvno").integer(as: "pvno")
        msgType = try fields.readField(1, as: "msg-type").integer(as: "msg-type")
        let clientTime = try fields.readOptional(2, as: "ctime")
        ctime = try clientTime.map(KerberosTime.init)
        let clientMicroseconds = try fields.readOptional(3, as: "cusec")
        cusec = try clientMicroseconds?.integer(as: "cusec")
        stime = try KerberosTime(try fields.readField(4, as: "stime"))
        susec = try fields.readField(5, as: "susec").integer(as: "susec")
        errorCode = KerberosErrorCode(rawValue: try fields.readField(6, as: "error-code").integer(as: "error-code"))
        let clientRealm = try fields.readOptional(7, as: "crealm")
        crealm = try clientRealm?.text(as: "crealm")
        cname = fields.peekTag() == 0xA8 ? try PrincipalName(&fields, 8, "cname") : nil
        realm = try fields.readField(9, as: "realm").text(as: "realm")
        sname = try PrincipalName(&fields, 10, "sname")
        let text = try fields.readOptional(11, as: "e-text")
        eText = try text?.text(as: "e-text")
        let data = try fields.readOptional(12, as: "e-data")
        eData = Secret(Array(try data?.octets(as: "e-data") ?? [])).nilIfEmpty
    }
}

extension Secret where Content == [UInt8] {
    fileprivate var nilIfEmpty: Self? { byteCount == 0 ? nil : self }
}

extension DERReader {
    /// Reads the elements of the SEQUENCE inside the next one, which must have the context tag `[number]`.
    fileprivate mutating func readSequence(_ number: UInt8, as field: String) throws(DecodeError) -> DERReader {
        let wrapper = try read(0xA0 | number, as: field)
        var inside = try reader(of: wrapper)
        let sequence = try inside.read(DERNode.sequence, as: field)
        return try inside.reader(of: sequence)
    }
}

extension KerberosTime {
    /// `YYYYMMDDhhmmssZ`.
    fileprivate init(_ node: DERNode) throws(DecodeError) {
        try node.check(DERNode.generalizedTime, as: "KerberosTime")
        let digits = node.content.dropLast().map { Int($0) - 0x30 }
        guard digits.count == 14, node.content.last == 0x5A, digits.allSatisfy({ (0...9).contains($0) }) else {
            throw DecodeError(.invalidValue("no time of the form YYYYMMDDhhmmssZ"), "KerberosTime", offset: node.offset)
        }
        let number = { (range: Range<Int>) in digits[range].reduce(0) { $0 * 10 + $1 } }
        text = String(decoding: node.content, as: UTF8.self)
        let days = KerberosTime.daysSinceEpoch(number(0..<4), number(4..<6), number(6..<8))
        secondsSinceEpoch = Int64(days * 86_400 + number(8..<10) * 3600 + number(10..<12) * 60 + number(12..<14))
    }

    /// Days from 1970-01-01 in the proleptic Gregorian calendar, with years that begin in March.
    private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + (monthFromMarch * 153 + 2) / 5 + day - 1
            - 719_468
    }
}
