import AuthScanBytes

extension KerberosMessage {
    /// The two octets that say which message follows in a GSS-API framing.
    ///
    /// - Source: RFC 4121 §4.1.
    static let tokenIDs: [[UInt8]] = [[1, 0], [2, 0], [3, 0]]

    /// The message without framing, where it starts, and the framing's mechanism.
    static func unframed(
        _ bytes: ArraySlice<UInt8>
    ) throws(DecodeError) -> (message: ArraySlice<UInt8>, offset: Int, thisMech: MechanismType?) {
        guard bytes.first == GSSToken.tag.rawValue else { return (bytes, 0, nil) }
        var problems: [DecodeError] = []
        let token = try GSSToken(decoding: bytes, noting: &problems)
        if let problem = problems.first { throw problem }
        guard tokenIDs.contains(Array(token.innerContextToken.prefix(2))) else {
            throw DecodeError(.invalidValue("is no AP-REQ, AP-REP or KRB-ERROR"), "TOK_ID", offset: token.innerOffset)
        }
        return (token.innerContextToken.dropFirst(2), token.innerOffset + 2, token.thisMech)
    }

    /// Reads a message that fills the bytes.
    init(unframed bytes: ArraySlice<UInt8>, at base: Int, thisMech: MechanismType?) throws(DecodeError) {
        var outer = try DERReader(bytes, at: base)
        let node = try outer.readNode(as: "KerberosMessage")
        try outer.finish(as: "KerberosMessage")
        switch node.tag {
        case APReq.tag: self = .apReq(try APReq(decoding: node, thisMech: thisMech))
        case APRep.tag: self = .apRep(try APRep(decoding: node, thisMech: thisMech))
        case KRBError.tag: self = .krbError(try KRBError(decoding: node, thisMech: thisMech))
        default: throw node.wrong("is no AP-REQ, AP-REP or KRB-ERROR", "KerberosMessage")
        }
    }
}

extension DERNode {
    /// A reader over the fields of the SEQUENCE inside a message's application tag.
    func sequenceReader(as field: String) throws(DecodeError) -> DERReader {
        var reader = try reader(as: field)
        let sequence = try reader.read(.sequence, as: field)
        try reader.finish(as: field)
        return try sequence.reader(as: field)
    }
}

extension DERReader {
    /// Reads pvno and msg-type, and refuses another version or type.
    ///
    /// - Source: RFC 4120 §5.10.
    mutating func readHead(type: Int, first: UInt8 = 0) throws(DecodeError) -> (pvno: Int, msgType: Int) {
        let version = try readRequired(first, as: "pvno")
        let message = try readRequired(first + 1, as: "msg-type")
        let pvno = try version.integer(as: "pvno")
        let msgType = try message.integer(as: "msg-type")
        guard pvno == 5 else { throw version.wrong("is \(pvno), not 5", "pvno") }
        guard msgType == type else { throw message.wrong("is \(msgType), not \(type)", "msg-type") }
        return (pvno, msgType)
    }

    mutating func readInteger(_ number: UInt8, as field: String) throws(DecodeError) -> Int {
        try readRequired(number, as: field).integer(as: field)
    }

    mutating func readOptionalInteger(_ number: UInt8, as field: String) throws(DecodeError) -> Int? {
        guard let node = try readOptional(number, as: field) else { return nil }
        return try node.integer(as: field)
    }

    mutating func readText(_ number: UInt8, as field: String) throws(DecodeError) -> String {
        try readRequired(number, as: field).text(as: field)
    }

    mutating func readOptionalText(_ number: UInt8, as field: String) throws(DecodeError) -> String? {
        guard let node = try readOptional(number, as: field) else { return nil }
        return try node.text(as: field)
    }

    mutating func readOptionalTime(_ number: UInt8, as field: String) throws(DecodeError) -> KerberosTime? {
        guard let node = try readOptional(number, as: field) else { return nil }
        return try KerberosTime(decoding: node, as: field)
    }

    mutating func readOptionalName(_ number: UInt8, as field: String) throws(DecodeError) -> PrincipalName? {
        guard let node = try readOptional(number, as: field) else { return nil }
        return try PrincipalName(decoding: node, as: field)
    }

    mutating func readEncryptedPart(_ number: UInt8, as field: String) throws(DecodeError) -> EncryptedPart {
        try EncryptedPart(decoding: try readRequired(number, as: field), as: field)
    }

    /// Reads a ticket, which has its own application tag inside `[number]`.
    mutating func readTicket(_ number: UInt8) throws(DecodeError) -> Ticket {
        try Ticket(decoding: try readRequired(number, as: "ticket"))
    }
}

extension APReq {
    static let tag = DERTag.application(14)

    fileprivate init(decoding node: DERNode, thisMech: MechanismType?) throws(DecodeError) {
        var reader = try node.sequenceReader(as: "AP-REQ")
        self.thisMech = thisMech
        (pvno, msgType) = try reader.readHead(type: 14)
        apOptions = try reader.readRequired(2, as: "ap-options").bits(as: "ap-options")
        ticket = try reader.readTicket(3)
        authenticator = try reader.readEncryptedPart(4, as: "authenticator")
        try reader.finish(as: "AP-REQ")
    }
}

extension APRep {
    static let tag = DERTag.application(15)

    fileprivate init(decoding node: DERNode, thisMech: MechanismType?) throws(DecodeError) {
        var reader = try node.sequenceReader(as: "AP-REP")
        self.thisMech = thisMech
        (pvno, msgType) = try reader.readHead(type: 15)
        encPart = try reader.readEncryptedPart(2, as: "enc-part")
        try reader.finish(as: "AP-REP")
    }
}

extension KRBError {
    static let tag = DERTag.application(30)

    init(decoding node: DERNode, thisMech: MechanismType?) throws(DecodeError) {
        var reader = try node.sequenceReader(as: "KRB-ERROR")
        self.thisMech = thisMech
        (pvno, msgType) = try reader.readHead(type: 30)
        ctime = try reader.readOptionalTime(2, as: "ctime")
        cusec = try reader.readOptionalInteger(3, as: "cusec")
        stime = try KerberosTime(decoding: try reader.readRequired(4, as: "stime"), as: "stime")
        susec = try reader.readInteger(5, as: "susec")
        errorCode = KerberosErrorCode(rawValue: try reader.readInteger(6, as: "error-code"))
        crealm = try reader.readOptionalText(7, as: "crealm")
        cname = try reader.readOptionalName(8, as: "cname")
        realm = try reader.readText(9, as: "realm")
        sname = try PrincipalName(decoding: try reader.readRequired(10, as: "sname"), as: "sname")
        eText = try reader.readOptionalText(11, as: "e-text")
        eData = try reader.readOptional(12, as: "e-data").map { node throws(DecodeError) in
            Secret(Array(try node.octets(as: "e-data")))
        }
        try reader.finish(as: "KRB-ERROR")
    }
}

extension Ticket {
    init(decoding node: DERNode) throws(DecodeError) {
        guard node.tag == .application(1) else { throw node.wrong("is no Ticket", "ticket") }
        var reader = try node.sequenceReader(as: "ticket")
        tktVno = try reader.readInteger(0, as: "tkt-vno")
        realm = try reader.readText(1, as: "realm")
        sname = try PrincipalName(decoding: try reader.readRequired(2, as: "sname"), as: "sname")
        encPart = try reader.readEncryptedPart(3, as: "enc-part")
        try reader.finish(as: "ticket")
    }
}

extension EncryptedPart {
    init(decoding node: DERNode, as field: String) throws(DecodeError) {
        guard node.tag == .sequence else { throw node.wrong("is no EncryptedData", field) }
        var reader = try node.reader(as: field)
        etype = EncryptionType(rawValue: try reader.readInteger(0, as: "etype"))
        kvno = try reader.readOptionalInteger(1, as: "kvno")
        cipher = Secret(Array(try reader.readRequired(2, as: "cipher").octets(as: "cipher")))
        try reader.finish(as: field)
    }
}

extension PrincipalName {
    /// How many parts a name may have.
    static let partLimit = 32

    init(decoding node: DERNode, as field: String) throws(DecodeError) {
        guard node.tag == .sequence else { throw node.wrong("is no PrincipalName", field) }
        var reader = try node.reader(as: field)
        nameType = try reader.readInteger(0, as: "name-type")
        let strings = try reader.readRequired(1, as: "name-string")
        guard strings.tag == .sequence else { throw strings.wrong("is no SEQUENCE", "name-string") }
        var parts = try strings.reader(as: "name-string")
        var names: [String] = []
        while !parts.isAtEnd {
            guard names.count < Self.partLimit else {
                throw DecodeError(.limitExceeded(limit: Self.partLimit), "name-string", offset: parts.offset)
            }
            names.append(try parts.readNode(as: "name-string").text(as: "name-string"))
        }
        nameString = names
        try reader.finish(as: field)
    }
}
