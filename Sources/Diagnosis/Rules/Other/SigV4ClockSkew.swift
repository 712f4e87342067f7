import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct SigV4ClockSkew: Rule {
    let page = RulePage(
        id: "sigv4-clock-skew",
        severity: .error,
        step: .accept,
        title: "Signed request time outside the window",
        what:
            "A request signed for Amazon's services is refused, and its X-Amz-Date is minutes from the time of the capture.",
        why: """
            The time is signed with the request, and the service accepts it for five minutes to either side (S3: fifteen). \
            Requests from a device whose clock is off, or that waited in a queue after signing, are too old whatever the key.
            """,
        fix: [
            .client("Sign when the request is sent, and again before each repetition."),
            .client("Correct the clock by the Date of the response (the SDKs do after RequestTimeTooSkewed)."),
        ],
        verify: "X-Amz-Date is within five minutes of the response's Date.",
        lookAlikes: [
            "A wrong key or a missing permission: then the times agree.",
            "A capture whose own clock is off: compare with the Date of the response.",
        ],
        supersedes: ["authenticated-but-forbidden", "stale-credentials-lockout"],
        sources: [
            "Amazon Web Services: Signature Version 4, elements of a request", "Amazon S3: RequestTimeTooSkewed",
        ],
        triggering: [
            """
            connection 1
            > ↓GET /bucket
              X-Amz-Date: 20260105T080000Z
              Authorization: AWS4-HMAC-SHA256 Credential=AKID/20260105/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature=0000000000000000000000000000000000000000000000000000000000000000
            < 403
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /bucket
              X-Amz-Date: 20260105T085010Z
              Authorization: AWS4-HMAC-SHA256 Credential=AKID/20260105/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature=0000000000000000000000000000000000000000000000000000000000000000
            < 403
            closed by client
            """,
            """
            connection 1
            > GET /bucket
              X-Amz-Date: 20260105T080000Z
              Authorization: AWS4-HMAC-SHA256 Credential=AKID/20260105/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature=0000000000000000000000000000000000000000000000000000000000000000
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.otherScheme]

    func findings(in chain: Chain) -> Outcome {
        let signed = chain.exchanges.filter { $0.scheme == .aws4HMACSHA256 }
        let skewed = signed.filter { $0.lastLeg.transaction.signedTimeSkew != nil }
        let isTolerated = skewed.contains { $0.lastLeg.transaction.isServed }
        let refused = skewed.filter { [400, 401, 403].contains($0.lastLeg.transaction.status) }
        // Where the service takes such a time, it is the capture's clock that is off.
        guard !isTolerated else { return .clear }
        return chain.outcome(of: refused, as: page, confidence: .likely) { exchange in
            let transaction = exchange.lastLeg.transaction
            let seconds = transaction.signedTimeSkew ?? 0
            let direction = seconds < 0 ? "ahead of" : "behind"
            let clock = transaction.serverDate == nil ? "capture" : "service's answer"
            return """
                the refused request was signed \(seconds.magnitude) s \(direction) the time of the \(clock); the service \
                allows \(transaction.signedTimeTolerance) s
                """
        }
    }
}
