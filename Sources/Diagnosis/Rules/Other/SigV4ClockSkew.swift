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
        let isTolerated = signed.contains { $0.lastLeg.transaction.isServed && skew(of: $0) != nil }
        let refused = signed.filter {
            [400, 401, 403].contains($0.lastLeg.transaction.status) && skew(of: $0) != nil
        }
        // Where the service takes such a time, it is the capture's clock that is off.
        guard !isTolerated else { return .clear }
        return chain.outcome(of: refused, as: page, confidence: .likely) { exchange in
            let seconds = skew(of: exchange) ?? 0
            let direction = seconds < 0 ? "ahead of" : "behind"
            return """
                the refused request was signed \(seconds.magnitude) s \(direction) the time of the capture; the service \
                allows \(tolerance(of: exchange)) s
                """
        }
    }

    /// By how many seconds the signed time is behind the capture's, where that is too much; `nil` where it is not, or
    /// cannot be read.
    private func skew(of exchange: AuthenticationExchange) -> Int? {
        let transaction = exchange.lastLeg.transaction
        guard let text = transaction.request?.fields.text(of: .xAmzDate), let signed = seconds(text) else { return nil }
        let skew = Int(transaction.startTime.nanoseconds / 1_000_000_000) - signed
        return skew.magnitude > tolerance(of: exchange) ? skew : nil
    }

    /// How many seconds the service of a credential scope allows.
    private func tolerance(of exchange: AuthenticationExchange) -> Int {
        let scope = exchange.lastLeg.credentials.parameters["Credential"] ?? ""
        return scope.split(separator: "/").suffix(2).first == "s3" ? 900 : 300
    }

    /// A time of the basic format of ISO 8601, `YYYYMMDDTHHMMSSZ`, in seconds since 1970.
    private func seconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else { return nil }
        let parts = [0..<4, 4..<6, 6..<8, 9..<11, 11..<13, 13..<15].map { range in
            UInt16(String(decoding: bytes[range], as: UTF8.self)).map(Int.init)
        }
        guard let year = parts[0], let month = parts[1], (1...12).contains(month), let day = parts[2],
            let hour = parts[3], let minute = parts[4], let second = parts[5]
        else { return nil }
        return CookieDate.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    }
}
