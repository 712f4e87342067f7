import AuthScanBytes
import AuthScanSchemes

extension FuzzTarget {
    /// Any bytes are a message to or from a KDC, a token of an established context, or what a key would have opened, or are
    /// refused, wherever they lie in memory.
    public static let kerberos = FuzzTarget(name: "Kerberos") { input in
        let moved = ([0xFF] + input).dropFirst()
        let message = try? KDCMessage(decoding: input[...])
        precondition((try? KDCMessage(decoding: moved)) == message, "the result depends on where the bytes lie")
        for data in (message?.request?.padata ?? []) + (message?.reply?.padata ?? [])
            + (message?.error?.methodData() ?? [])
        {
            guard let problem = data.problem else { continue }
            precondition((0...data.value.byteCount).contains(problem.offset), "a problem lies outside its data")
        }
        _ = message?.error?.errorData()
        precondition(
            (try? KDCProxyMessage(decoding: input[...])) == (try? KDCProxyMessage(decoding: moved)),
            "the result depends on where the bytes lie"
        )
        _ = try? FASTResponse(decoding: input[...])
        if case .unknown(let token)? = try? NegotiateToken(decoding: input[...]) { _ = token.content() }
        precondition(PerMessageToken(decoding: moved) == PerMessageToken(decoding: input[...]), "a token moved")
        _ = try? EncTicketPart(decoding: input[...])
        _ = try? Authenticator(decoding: input[...])
        _ = try? EncKDCRepPart(decoding: input[...])
        _ = try? PreauthenticationTime(decoding: input[...])
    }
}
