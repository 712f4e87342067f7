import TestPipeline
import Testing

@testable import AuthScanSessions

@Suite struct LegsTests {
    /// The legs of the three handshakes: two on one connection each, one that was split over two.
    private func legs() throws -> [Legs] {
        try sessions(
            of: """
                connection 1
                > GET /a
                  Authorization: NTLM {NEGOTIATE_MESSAGE}
                < 401
                  WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
                > GET /a
                  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP workstation=PC1}
                < 200
                connection 2
                > GET /b
                  Authorization: NTLM {NEGOTIATE_MESSAGE}
                < 401
                  WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
                connection 3
                > GET /b
                  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP workstation=PC1}
                < 401
                connection 4
                > GET /c
                  Authorization: Basic {basic alice:secret}
                < 200
                """
        ).exchanges.map(\.legs)
    }

    @Test("they come in packet order, one or several, of one connection or more")
    func keepsTheOrder() throws {
        let legs = try legs()
        #expect(legs.map { $0.map(\.transaction.number) } == [[1, 2], [3, 4], [5]])
        #expect(legs.map(\.count) == [2, 2, 1])
        #expect(legs.map(\.latest.transaction.number) == [2, 4, 5])
        #expect(legs.map(\.last?.transaction.number) == [2, 4, 5])
    }
}
