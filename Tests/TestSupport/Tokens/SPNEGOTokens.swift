/// The security mechanisms that a transcript can name.
enum MechanismName: String {
    case ntlm = "NTLM"
    case kerberos = "Kerberos"
    case microsoftKerberos = "MS-Kerberos"
    case negoEx = "NegoEx"

    /// The arcs of its object identifier.
    ///
    /// - Source: MS-SPNG 3.1.5.1; RFC 4121 §1.
    var arcs: [Int] {
        switch self {
        case .ntlm: [1, 3, 6, 1, 4, 1, 311, 2, 2, 10]
        case .kerberos: [1, 2, 840, 113554, 1, 2, 2]
        case .microsoftKerberos: [1, 2, 840, 48018, 1, 2, 2]
        case .negoEx: [1, 3, 6, 1, 4, 1, 311, 2, 2, 30]
        }
    }
}

/// The GSS-API framing of an initial token, and of Kerberos tokens.
///
/// - Source: RFC 2743 §3.1.
func gssToken(mechanism arcs: [Int], _ innerToken: [UInt8]) -> [UInt8] {
    DERWriter.application(0, DERWriter.objectIdentifier(arcs) + innerToken)
}

extension TokenEncoder {
    /// `SPNEGO init [mech=NAME,NAME…] [token={…}]`; without a token, the first mechanism's usual one.
    ///
    /// `optimistic=no` leaves the token out altogether.
    ///
    /// - Source: RFC 4178 §4.2.1.
    mutating func negTokenInit(_ expression: inout TokenExpression) throws(TranscriptError) -> [UInt8] {
        let mechanisms = try mechanisms(expression.take("mech") ?? "NTLM", expression)
        let isOptimistic = try expression.takeFlag("optimistic") ?? true
        var token: [UInt8]?
        if let nested = try expression.takeNested("token") {
            token = try bytes(of: nested)
        } else if isOptimistic, mechanisms[0] == .ntlm {
            token = try bytes(of: TokenExpression("NEGOTIATE_MESSAGE", line: 0))
        } else if isOptimistic, mechanisms[0] != .negoEx {
            token = try bytes(of: TokenExpression("AP-REQ", line: 0))
        }
        var fields = [DERWriter.tagged(0, DERWriter.sequence(mechanisms.map { DERWriter.objectIdentifier($0.arcs) }))]
        if let token { fields.append(DERWriter.tagged(2, DERWriter.octetString(token))) }
        return gssToken(mechanism: [1, 3, 6, 1, 5, 5, 2], DERWriter.tagged(0, DERWriter.sequence(fields)))
    }

    /// `SPNEGO resp [state=] [mech=] [token={…}] [mic=hex]`.
    ///
    /// - Source: RFC 4178 §4.2.2.
    mutating func negTokenResp(_ expression: inout TokenExpression) throws(TranscriptError) -> [UInt8] {
        var fields: [[UInt8]] = []
        if let name = expression.take("state") {
            let states = ["accept-completed", "accept-incomplete", "reject", "request-mic"]
            guard let state = states.firstIndex(of: name) else {
                throw expression.error("state=\(name) is none of \(states.joined(separator: ", "))")
            }
            fields.append(DERWriter.tagged(0, DERWriter.enumerated(UInt8(state))))
        }
        if let name = expression.take("mech") {
            let mechanisms = try mechanisms(name, expression)
            fields.append(DERWriter.tagged(1, DERWriter.objectIdentifier(mechanisms[0].arcs)))
        }
        if let nested = try expression.takeNested("token") {
            fields.append(DERWriter.tagged(2, DERWriter.octetString(try bytes(of: nested))))
        }
        if let mic = try expression.takeHex("mic", count: 16) {
            fields.append(DERWriter.tagged(3, DERWriter.octetString(mic)))
        }
        return DERWriter.tagged(1, DERWriter.sequence(fields))
    }

    private func mechanisms(
        _ names: String,
        _ expression: TokenExpression
    ) throws(TranscriptError) -> [MechanismName] {
        var mechanisms: [MechanismName] = []
        for name in names.split(separator: ",", omittingEmptySubsequences: false) {
            guard let mechanism = MechanismName(rawValue: String(name)) else {
                throw expression.error("mech=\(name) is none of NTLM, Kerberos, MS-Kerberos, NegoEx")
            }
            mechanisms.append(mechanism)
        }
        return mechanisms
    }
}
