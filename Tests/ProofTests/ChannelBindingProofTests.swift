import AuthScanSchemes
import AuthScanSessions
import Testing

@testable import AuthScanProof

@Suite struct ChannelBindingProofTests {
    @Test("bindings are right, wrong, or nothing to speak of")
    func judges() {
        let due = [UInt8](repeating: 7, count: 16)
        let zero = [UInt8](repeating: 0, count: 16)
        #expect(ChannelBindingProof.proof(of: due, due: due)?.verdict == .right)
        let wrong = ChannelBindingProof.proof(of: [UInt8](repeating: 8, count: 16), due: due)
        #expect(wrong?.verdict == .wrong && wrong?.details.map(\.name) == ["sent", "due"])
        #expect(ChannelBindingProof.proof(of: zero, due: due) == nil)
        #expect(ChannelBindingProof.proof(of: nil, due: due) == nil)
        #expect(ChannelBindingProof.proof(of: due, due: nil) == nil)
    }
}
