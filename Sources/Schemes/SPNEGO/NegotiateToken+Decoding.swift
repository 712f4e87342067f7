import AuthScanBytes

extension NegotiateToken {
    /// Decodes a token of any kind but SPNEGO.
    ///
    /// - Throws: when the token starts as NTLM or Kerberos and cannot be decoded as such.
    init(decodingMechanismToken bytes: ArraySlice<UInt8>) throws(DecodeError) {
        switch bytes.first {
        case nil:
            throw DecodeError(.truncated(needed: 1, available: 0), "token", offset: 0)
        case UInt8(ascii: "N") where bytes.starts(with: Array("NTLMSSP".utf8)):
            self = .ntlm(try NTLMMessage(decoding: bytes))
        case GSSToken.tag.rawValue:
            self = try Self.framed(bytes)
        case APReq.tag.rawValue, APRep.tag.rawValue, KRBError.tag.rawValue:
            self = .kerberos(try KerberosMessage(decoding: bytes))
        default:
            self = .unknown(UnknownToken(bytes, label: UnknownToken.label(of: bytes)))
        }
    }

    private static func framed(_ bytes: ArraySlice<UInt8>) throws(DecodeError) -> Self {
        var problems: [DecodeError] = []
        let token = try GSSToken(decoding: bytes, noting: &problems)
        let tokenID = Array(token.innerContextToken.prefix(2))
        if token.thisMech.isKerberos, KerberosMessage.tokenIDs.contains(tokenID) {
            return .kerberos(try KerberosMessage(decoding: bytes))
        }
        if let problem = problems.first { throw problem }
        return .unknown(
            UnknownToken(bytes, mechanism: token.thisMech, label: UnknownToken.label(of: token.innerContextToken))
        )
    }
}

extension UnknownToken {
    init(_ bytes: ArraySlice<UInt8>, mechanism: MechanismType? = nil, label: String? = nil) {
        self.mechanism = mechanism
        self.label = label
        encoded = Secret(Array(bytes))
    }

    /// What a token appears to be by its first bytes.
    ///
    /// - Source: RFC 4121 §4.2.6; RFC 1964 §1.2; draft-swift-win2k-krb-user2user §3; draft-zhu-negoex §6.1.
    static func label(of bytes: ArraySlice<UInt8>) -> String? {
        if bytes.starts(with: Array("NEGOEXTS".utf8)) { return "NEGOEX" }
        return switch Array(bytes.prefix(2)) {
        case [0x04, 0x04]: "GSS-API MIC token"
        case [0x05, 0x04]: "GSS-API Wrap token"
        case [0x01, 0x01]: "GSS-API MIC token (RFC 1964)"
        case [0x02, 0x01]: "GSS-API Wrap token (RFC 1964)"
        case [0x04, 0x00]: "TGT-REQ"
        case [0x04, 0x01]: "TGT-REP"
        case [0x05, 0x01]: "IAKERB"
        default: nil
        }
    }
}
