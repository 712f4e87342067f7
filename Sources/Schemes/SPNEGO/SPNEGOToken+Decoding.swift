import AuthScanBytes

extension SPNEGOToken {
    /// Decodes a negotiation token that lies `base` bytes into its framing, or stands alone.
    ///
    /// - Throws: when the token is neither NegTokenInit nor NegTokenResp; lesser faults are kept as problems.
    init(
        decoding bytes: ArraySlice<UInt8>,
        at base: Int = 0,
        thisMech: MechanismType? = nil,
        noting problems: [DecodeError] = []
    ) throws(DecodeError) {
        var problems = problems
        var outer = try DERReader(bytes, at: base)
        let choice = try outer.readNode(as: "NegotiationToken", noting: &problems)
        if !outer.isAtEnd {
            let count = outer.rest.count
            problems.append(DecodeError(.trailingBytes(count: count), "NegotiationToken", offset: outer.offset))
        }
        var reader = try choice.reader(as: "NegotiationToken")
        let sequence = try reader.readNode(as: "NegotiationToken", noting: &problems)
        guard sequence.tag == .sequence else { throw sequence.wrong("is no SEQUENCE", "NegotiationToken") }
        switch choice.tag {
        case .context(0):
            self = .negTokenInit(try NegTokenInit(decoding: sequence, thisMech: thisMech, noting: problems))
        case .context(1):
            self = .negTokenResp(try NegTokenResp(decoding: sequence, thisMech: thisMech, noting: problems))
        default:
            throw choice.wrong("is neither NegTokenInit nor NegTokenResp", "NegotiationToken")
        }
    }
}

/// The fields of an SPNEGO sequence, read one by one so that a malformed one does not hide the others.
private struct SPNEGOFields {
    private(set) var nodes: [UInt8: DERNode] = [:]
    var problems: [DecodeError]

    init(_ sequence: DERNode, names: [String], noting problems: [DecodeError]) throws(DecodeError) {
        self.problems = problems
        var reader = try sequence.reader(as: "NegotiationToken")
        do throws(DecodeError) {
            while let tag = reader.peekTag() {
                let number = tag.rawValue & 0x1F
                let name = Int(number) < names.count ? names[Int(number)] : "[\(number)]"
                let node = try reader.readNode(as: name, noting: &self.problems)
                guard tag == .context(number), Int(number) < names.count else {
                    throw node.wrong("is no field of this token", name)
                }
                var inner = try node.reader(as: name)
                nodes[number] = try inner.readNode(as: name, noting: &self.problems)
                try inner.finish(as: name)
            }
        } catch {
            self.problems.append(error)
        }
    }

    /// Decodes a field, if it is there; a malformed one is noted and counts as missing.
    mutating func value<Value>(
        _ number: UInt8,
        _ decode: (DERNode) throws(DecodeError) -> Value
    ) -> Value? {
        guard let node = nodes[number] else { return nil }
        do throws(DecodeError) {
            return try decode(node)
        } catch {
            problems.append(error)
            return nil
        }
    }
}

extension NegTokenInit {
    fileprivate init(
        decoding sequence: DERNode,
        thisMech: MechanismType?,
        noting problems: [DecodeError]
    ) throws(DecodeError) {
        let names = ["mechTypes", "reqFlags", "mechToken", "mechListMIC", "mechListMIC"]
        var fields = try SPNEGOFields(sequence, names: names, noting: problems)
        self.thisMech = thisMech
        mechTypes = fields.value(0, Self.readMechTypes) ?? []
        reqFlags = fields.value(1) { node throws(DecodeError) in
            ContextFlags(mostSignificantFirst: UInt8(truncatingIfNeeded: try node.bits(as: "reqFlags") >> 24))
        }
        mechToken = fields.value(2) { node throws(DecodeError) in
            MechanismToken(decoding: try node.octets(as: "mechToken"), at: node.contentsOffset)
        }
        // MS-SPNG 2.2.1 puts negHints, a SEQUENCE, at [3] and moves mechListMIC to [4].
        let hasHints = fields.nodes[3]?.tag == .sequence
        negHints = hasHints ? fields.value(3, NegHints.init(decoding:)) : nil
        mechListMIC = fields.value(hasHints ? 4 : 3) { node throws(DecodeError) in
            Array(try node.octets(as: "mechListMIC"))
        }
        // RFC 4178 §4.2.1: mechTypes is the one field that is not OPTIONAL.
        if fields.nodes[0] == nil, !hasHints {
            fields.problems.append(sequence.wrong("is missing", "mechTypes"))
        }
        self.problems = fields.problems
    }

    private static func readMechTypes(_ node: DERNode) throws(DecodeError) -> [MechanismType] {
        guard node.tag == .sequence else { throw node.wrong("is no SEQUENCE", "mechTypes") }
        var reader = try node.reader(as: "mechTypes")
        var types: [MechanismType] = []
        while !reader.isAtEnd {
            guard types.count < 64 else {
                throw DecodeError(.limitExceeded(limit: 64), "mechTypes", offset: reader.offset)
            }
            let type = try reader.read(.objectIdentifier, as: "mechTypes")
            types.append(MechanismType(rawValue: try type.objectIdentifier(as: "mechTypes")))
        }
        return types
    }
}

extension NegTokenInit.ContextFlags {
    /// Bit 0 of a BIT STRING is the most significant bit of its first octet.
    fileprivate init(mostSignificantFirst octet: UInt8) {
        rawValue = (0..<8).reduce(0) { $0 | (octet >> (7 - UInt8($1)) & 1) << UInt8($1) }
    }
}

extension NegTokenInit.NegHints {
    /// Decodes the hints of a server that speaks first.
    ///
    ///     NegHints ::= SEQUENCE { hintName [0] GeneralString OPTIONAL, hintAddress [1] OCTET STRING OPTIONAL }
    fileprivate init(decoding node: DERNode) throws(DecodeError) {
        var reader = try node.reader(as: "negHints")
        hintName = try reader.readOptional(0, as: "hintName")?.text(as: "hintName")
        hintAddress = try reader.readOptional(1, as: "hintAddress").map { node throws(DecodeError) in
            Array(try node.octets(as: "hintAddress"))
        }
        try reader.finish(as: "negHints")
    }
}

extension NegTokenResp {
    fileprivate init(
        decoding sequence: DERNode,
        thisMech: MechanismType?,
        noting problems: [DecodeError]
    ) throws(DecodeError) {
        self.thisMech = thisMech
        let names = ["negState", "supportedMech", "responseToken", "mechListMIC"]
        var fields = try SPNEGOFields(sequence, names: names, noting: problems)
        negState = fields.value(0) { node throws(DecodeError) in State(rawValue: try node.integer(as: "negState")) }
        supportedMech = fields.value(1) { node throws(DecodeError) in
            MechanismType(rawValue: try node.objectIdentifier(as: "supportedMech"))
        }
        responseToken = fields.value(2) { node throws(DecodeError) in
            MechanismToken(decoding: try node.octets(as: "responseToken"), at: node.contentsOffset)
        }
        mechListMIC = fields.value(3) { node throws(DecodeError) in Array(try node.octets(as: "mechListMIC")) }
        self.problems = fields.problems
    }
}

extension MechanismToken {
    /// Decodes what SPNEGO carries; what cannot be decoded is kept with its problem.
    init(decoding bytes: ArraySlice<UInt8>, at offset: Int) {
        self.offset = offset
        do throws(DecodeError) {
            switch try NegotiateToken(decodingMechanismToken: bytes) {
            case .ntlm(let message): content = .ntlm(message)
            case .kerberos(let message): content = .kerberos(message)
            case .unknown(let token): content = .unknown(token)
            // The mechanism decoder never looks for SPNEGO, so that tokens cannot nest without end.
            case .spnego: content = .unknown(UnknownToken(bytes, label: "SPNEGO"))
            }
            problem = nil
        } catch {
            content = .unknown(UnknownToken(bytes))
            problem = error
        }
    }
}
