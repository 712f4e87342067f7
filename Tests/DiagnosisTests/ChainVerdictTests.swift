import AuthScanDiagnosis
import TestPipeline
import Testing

@Suite struct ChainVerdictTests {
    /// A conversation, the verdict it deserves, and the step at which it breaks.
    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let transcript: String
        let verdict: Verdict
        let step: ChainStep?
    }

    static let stories = [
        Story(
            testDescription: "a redirect that loses the credential at the end of the capture",
            transcript: """
                connection 1
                > GET /coupons
                  Authorization: Bearer {jwt sub=alice}
                < 301
                  Location: /coupons/
                > GET /coupons/
                < 401
                  WWW-Authenticate: Bearer realm="api"
                """,
            verdict: .broken,
            step: .continue
        ),
        Story(
            testDescription: "a 403 that a request failing for another reason follows",
            transcript: """
                connection 1
                > GET /finance
                  Authorization: Basic {basic alice:secret}
                < 403
                > GET /missing
                  Authorization: Basic {basic alice:secret}
                < 404
                """,
            verdict: .broken,
            step: .authorize
        ),
        Story(
            testDescription: "a challenge that no client can read",
            transcript: """
                connection 1
                > GET /app
                < 401
                  WWW-Authenticate: Basic realm="app
                closed by client
                """,
            verdict: .broken,
            step: .challenge
        ),
        Story(
            testDescription: "a challenge that is answered with success",
            transcript: """
                connection 1
                > GET /app
                < 401
                  WWW-Authenticate: Basic realm="app"
                > GET /app
                  Authorization: Basic {basic alice:secret}
                < 200
                """,
            verdict: .working,
            step: nil
        ),
        Story(
            testDescription: "a typing error that is mended",
            transcript: """
                connection 1
                > GET /app
                  Authorization: Basic {basic alice:sceret}
                < 401
                  WWW-Authenticate: Basic realm="app"
                > GET /app
                  Authorization: Basic {basic alice:secret}
                < 200
                """,
            verdict: .working,
            step: nil
        ),
        Story(
            testDescription: "a challenge that nobody answers",
            transcript: """
                connection 1
                > GET /app
                < 401
                  WWW-Authenticate: Basic realm="app"
                closed by client
                """,
            verdict: .broken,
            step: .answer
        ),
        Story(
            testDescription: "a challenge at the end of the capture",
            transcript: """
                connection 1
                > GET /app
                < 401
                  WWW-Authenticate: Basic realm="app"
                """,
            verdict: .cannotTell,
            step: nil
        ),
        Story(
            testDescription: "a credential that is refused",
            transcript: """
                connection 1
                > GET /app
                  Authorization: Basic {basic alice:wrong}
                < 401
                  WWW-Authenticate: Basic realm="app"
                closed by client
                """,
            verdict: .broken,
            step: .accept
        ),
        Story(
            testDescription: "a login that works, then a resource that this user may not have",
            transcript: """
                connection 1
                > GET /app
                  Authorization: Basic {basic alice:secret}
                < 200
                > GET /finance
                  Authorization: Basic {basic alice:secret}
                < 403
                closed by client
                """,
            verdict: .broken,
            step: .authorize
        ),
        Story(
            testDescription: "a first page with credentials and the rest without",
            transcript: """
                connection 1
                > GET /app
                  Authorization: Basic {basic alice:secret}
                < 200
                > GET /style.css
                < 401
                  WWW-Authenticate: Basic realm="app"
                closed by client
                """,
            verdict: .broken,
            step: .continue
        ),
        Story(
            testDescription: "a server that resets the connection instead of answering the last leg",
            transcript: """
                connection 1
                > GET /app
                  Authorization: NTLM {NEGOTIATE_MESSAGE}
                < 401
                  WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
                > GET /app
                  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
                reset by server
                """,
            verdict: .broken,
            step: .handshake
        ),
        Story(
            testDescription: "a proxy that refuses",
            transcript: """
                connection 1 to 192.0.2.30:3128
                > CONNECT intranet.example:443
                < 407
                  Proxy-Authenticate: Basic realm="proxy"
                closed by client
                """,
            verdict: .broken,
            step: .proxy
        ),
        Story(
            testDescription: "icons that browsers fetch on their own account",
            transcript: """
                connection 1
                > GET /app
                  Authorization: Basic {basic alice:secret}
                < 200
                > GET /favicon.ico
                < 401
                  WWW-Authenticate: Basic realm="app"
                closed by client
                """,
            verdict: .working,
            step: nil
        ),
    ]

    @Test("the verdict is what the user ends up with", arguments: stories)
    func judges(story: Story) throws {
        let chain = try #require(diagnosis(of: story.transcript).chains.first)
        #expect(chain.verdict == story.verdict)
        #expect(chain.breakpoint?.step == story.step)
    }

    @Test("the row has the ten steps in order, and none after the breakpoint is reached", arguments: stories)
    func ordersSteps(story: Story) throws {
        let chain = try #require(diagnosis(of: story.transcript).chains.first)
        #expect(chain.steps.map(\.step) == ChainStep.allCases)
        let broken = chain.steps.firstIndex { $0.state == .broken }
        #expect((broken == nil) == (story.step == nil))
        if let broken { #expect(chain.steps[(broken + 1)...].allSatisfy { $0.state == .notReached }) }
    }
}
