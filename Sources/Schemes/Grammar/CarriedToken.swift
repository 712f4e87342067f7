import AuthScanBytes

/// The message that an NTLM, Negotiate or Kerberos element carries in its token68.
enum CarriedToken: Sendable {
    /// There is no token, or none that can be decoded.
    case none
    /// NTLM under its own scheme.
    case ntlm(NTLMMessage)
    /// What the other schemes carry, or what stands under NTLM in its place.
    case negotiate(NegotiateToken)

    /// Decodes the element's token, and notes what is wrong with it.
    init(_ element: inout FieldElement) {
        self = .none
        guard let text = element.token68 else { return }
        let token = SchemeToken(text, offset: element.token68Offset)
        if let problem = token.problem { element.note(problem.kind, problem.message, at: problem.offset) }
        guard let bytes = token.bytes else { return }
        do throws(DecodeError) {
            if element.scheme.kind != .ntlm {
                self = .negotiate(try NegotiateToken(decoding: bytes[...]))
            } else if NegotiateToken.startsAsGSSAPI(bytes[...]) {
                // MS-NTHT 2.2.1: under `NTLM` stands the NTLM message itself, with nothing around it.
                element.note(.otherSchemesToken, "an SPNEGO or Kerberos token under NTLM", at: element.token68Offset)
                self = .negotiate(try NegotiateToken(decoding: bytes[...]))
            } else {
                self = .ntlm(try NTLMMessage(decoding: bytes[...]))
            }
        } catch {
            let problem = error.inBase64(from: element.token68Offset)
            element.note(problem.kind, problem.message, at: problem.offset)
        }
    }
}
