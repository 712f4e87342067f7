import AuthScanBytes

extension SPNEGOToken {
    /// Decodes a NegotiationToken.
    ///
    /// ```
    /// NegotiationToken ::= CHOICE { negTokenInit [0] NegTokenInit, negTokenResp [1] NegTokenResp }
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The token, behind any GSS-API framing.
    ///   - thisMech: The mechanism of the framing; `nil` where there is none.
    ///   - base: Where the token starts in what was sent, in bytes, for the offsets of problems.
    /// - Throws: `DecodeError` where the bytes are no NegotiationToken at all.
    /// - Source: RFC 4178 §4.2.
    init(decoding bytes: ArraySlice<UInt8>, thisMech: MechanismType?, base: Int) throws(DecodeError) {
        var reader = DERReader(bytes)
        let choice = try reader.read(as: "NegotiationToken")
        var inside = try reader.reader(of: choice)
        let sequence = try inside.read(DERNode.sequence, as: "NegotiationToken")
        var problems: [DecodeError] = []
        if !reader.isAtEnd {
            problems.append(
                DecodeError(
                    .trailingBytes(count: bytes.count - reader.offset),
                    "NegotiationToken",
                    offset: base + reader.offset
                )
            )
        }
        let fields = try inside.reader(of: sequence)
        switch choice.tag {
        case 0xA0: self = .negTokenInit(NegTokenInit(fields, thisMech: thisMech, base: base, problems: problems))
        case 0xA1: self = .negTokenResp(NegTokenResp(fields, base: base, problems: problems))
        default: throw DecodeError(.invalidValue("neither [0] nor [1]"), "NegotiationToken", offset: base)
        }
    }
}

extension NegTokenInit {
    /// ```
    /// NegTokenInit ::= SEQUENCE {
    ///     mechTypes   [0] MechTypeList,  reqFlags    [1] ContextFlags OPTIONAL,
    ///     mechToken   [2] OCTET STRING OPTIONAL,  mechListMIC [3] OCTET STRING OPTIONAL }
    /// NegTokenInit2 puts negHints at [3], and mechListMIC at [4] (MS-SPNG 2.2.1).
    /// ```
    fileprivate init(_ fields: DERReader, thisMech: MechanismType?, base: Int, problems: [DecodeError]) {
        var draft = Draft(problems: problems)
        var fields = fields
        do throws(DecodeError) {
            while !fields.isAtEnd { try draft.readField(of: &fields, base: base) }
        } catch {
            draft.problems.append(error.moved(by: base))
        }
        self.thisMech = thisMech
        mechTypes = draft.mechTypes
        reqFlags = draft.reqFlags
        mechToken = draft.mechToken
        negHints = draft.negHints
        mechListMIC = draft.mechListMIC
        self.problems = draft.problems
    }

    private struct Draft {
        var mechTypes: [MechanismType] = []
        var reqFlags: ContextFlags?
        var mechToken: MechanismToken?
        var negHints: NegHints?
        var mechListMIC: [UInt8]?
        var problems: [DecodeError]

        init(problems: [DecodeError]) { self.problems = problems }

        mutating func readField(of fields: inout DERReader, base: Int) throws(DecodeError) {
            let wrapper = try fields.read(as: "NegTokenInit")
            var inside = try fields.reader(of: wrapper)
            let node = try inside.read(as: "NegTokenInit")
            switch wrapper.tag {
            case 0xA0: mechTypes = try NegTokenInit.mechanisms(in: node, inside)
            case 0xA1: reqFlags = NegTokenInit.contextFlags(try node.flags(as: "reqFlags"))
            case 0xA2:
                mechToken = MechanismToken(decoding: try node.octets(as: "mechToken"), at: base + node.contentOffset)
            case 0xA3 where node.tag == DERNode.sequence: negHints = try NegTokenInit.hints(in: node, inside)
            case 0xA3, 0xA4: mechListMIC = Array(try node.octets(as: "mechListMIC"))
            default:
                problems.append(
                    DecodeError(.invalidValue("an unknown field"), "NegTokenInit", offset: base + wrapper.offset)
                )
            }
        }
    }

    private static func mechanisms(in node: DERNode, _ reader: DERReader) throws(DecodeError) -> [MechanismType] {
        try node.check(DERNode.sequence, as: "mechTypes")
        var list = try reader.reader(of: node)
        var mechanisms: [MechanismType] = []
        while !list.isAtEnd {
            guard mechanisms.count < 64 else {
                throw DecodeError(.limitExceeded(limit: 64), "mechTypes", offset: node.offset)
            }
            mechanisms.append(MechanismType(rawValue: try list.read(as: "mechTypes").objectIdentifier(as: "mechTypes")))
        }
        return mechanisms
    }

    /// The bit string's first bit (delegFlag) becomes the lowest bit.
    private static func contextFlags(_ bits: UInt32) -> ContextFlags {
        ContextFlags(
            rawValue: (0..<7).reduce(0) { value, bit in
                bits & (0x8000_0000 >> UInt32(bit)) == 0 ? value : value | 1 << UInt8(bit)
            }
        )
    }

    private static func hints(in node: DERNode, _ reader: DERReader) throws(DecodeError) -> NegHints {
        var fields = try reader.reader(of: node)
        let name = try fields.readOptional(0, as: "hintName")
        let address = try fields.readOptional(1, as: "hintAddress")
        return NegHints(hintName: try name?.text(as: "hintName"), hintAddress: try address.map(octetArray))
    }

    private static func octetArray(_ node: DERNode) throws(DecodeError) -> [UInt8] {
        Array(try node.octets(as: "hintAddress"))
    }
}

extension NegTokenResp {
    /// ```
    /// NegTokenResp ::= SEQUENCE {
    ///     negState      [0] ENUMERATED OPTIONAL,    supportedMech [1] MechType OPTIONAL,
    ///     responseToken [2] OCTET STRING OPTIONAL,  mechListMIC   [3] OCTET STRING OPTIONAL }
    /// ```
    fileprivate init(_ fields: DERReader, base: Int, problems: [DecodeError]) {
        var fields = fields
        var problems = problems
        var negState: State?
        var supportedMech: MechanismType?
        var responseToken: MechanismToken?
        var mechListMIC: [UInt8]?
        do throws(DecodeError) {
            negState = try fields.readOptional(0, as: "negState").map(Self.state)
            supportedMech = try fields.readOptional(1, as: "supportedMech").map(Self.mechanism)
            if let node = try fields.readOptional(2, as: "responseToken") {
                let octets = try node.octets(as: "responseToken")
                responseToken = MechanismToken(decoding: octets, at: base + node.contentOffset)
            }
            mechListMIC = try fields.readOptional(3, as: "mechListMIC").map(Self.octetArray)
        } catch {
            problems.append(error.moved(by: base))
        }
        self.negState = negState
        self.supportedMech = supportedMech
        self.responseToken = responseToken
        self.mechListMIC = mechListMIC
        self.problems = problems
    }

    private static func state(_ node: DERNode) throws(DecodeError) -> State {
        State(rawValue: try node.integer(as: "negState"))
    }

    private static func mechanism(_ node: DERNode) throws(DecodeError) -> MechanismType {
        MechanismType(rawValue: try node.objectIdentifier(as: "supportedMech"))
    }

    private static func octetArray(_ node: DERNode) throws(DecodeError) -> [UInt8] {
        Array(try node.octets(as: "mechListMIC"))
    }
}

extension MechanismToken {
    /// Decodes the token of the mechanism that SPNEGO carries; one that cannot be decoded is kept with the reason.
    init(decoding bytes: ArraySlice<UInt8>, at offset: Int) {
        self.offset = offset
        do throws(DecodeError) {
            if bytes.first == 0x4E {
                content = .ntlm(try NTLMMessage(decoding: bytes))
            } else {
                content = .kerberos(try KerberosMessage(decoding: bytes))
            }
            problem = nil
        } catch {
            content = .unknown(UnknownToken(mechanism: nil, label: nil, encoded: Secret(Array(bytes))))
            problem = error.moved(by: offset)
        }
    }
}

extension DecodeError {
    /// The same error, counted from an earlier start.
    func moved(by bytes: Int) -> DecodeError { DecodeError(problem, field, offset: offset + bytes) }
}
