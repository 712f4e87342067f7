import AuthScanBytes
import AuthScanSchemes

extension FuzzTarget {
    /// Any bytes are an NTLM message, or are refused; what is wrong inside one lies inside it, and bytes that were
    /// decoded once decode to the same again.
    public static let ntlm = FuzzTarget(name: "NTLM") { input in
        guard let message = try? NTLMMessage(decoding: input[...]) else { return }
        for problem in message.problems {
            precondition((0...input.count).contains(problem.offset), "a problem lies outside the message")
        }
        let moved = [0xFF] + input
        precondition((try? NTLMMessage(decoding: moved[1...])) == message, "the result depends on where the bytes lie")
    }
}
