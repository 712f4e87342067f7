import AuthScanBytes
import AuthScanSchemes

extension FuzzTarget {
    /// Any bytes are a GSS-API, SPNEGO, Kerberos or NTLM token, or are refused, wherever they lie in memory.
    public static let spnego = FuzzTarget(name: "SPNEGO") { input in
        guard let token = try? NegotiateToken(decoding: input[...]) else { return }
        if let spnego = token.spnego {
            for problem in spnego.problems {
                precondition((0...input.count).contains(problem.offset), "a problem lies outside the token")
            }
        }
        let moved = [0xFF] + input
        precondition((try? NegotiateToken(decoding: moved[1...])) == token, "the result depends on where the bytes lie")
    }
}
