import AuthScanNativeCodecs

/// How a message's body ends.
///
/// - Source: RFC 9112 §6.3.
enum BodyFraming: Equatable {
    /// After this many bytes.
    case length(Int)
    /// With the chunk of size zero.
    case chunked
    /// With the connection.
    case untilClose
    /// The fields contradict each other, or state an impossible length: the end must be found by looking for a start line.
    case unknown
}

/// A start line and the fields that matter, as read from one span of bytes; the request target is among the fields.
struct MessageHead {
    /// Empty where it is too long, and among the fields.
    var method = ShortName()
    var version = ShortName()
    var status = 0
    var fields = FieldPlace()
    var framing = Framing()
    /// Whether a value is longer than what is kept of it.
    var isCut = false
    /// Whether it is a request whose target is in origin-form, so that Host names the server.
    ///
    /// - Source: RFC 9112 §3.2.1.
    var isNamedByHost = false
    /// Whether its User-Agent is not empty; `nil` where it has none.
    var isUserAgentNamed: Bool?
    /// What the page behind the head says of the client's certificate.
    var certificateNotice: CertificateNotice?

    /// What the fields say about the body's length, before the rules of the message kind are applied.
    struct Framing {
        var contentLength: Int?
        var isContentLengthValid = true
        var isChunked = false
        var hasOtherTransferCoding = false
        /// What the Upgrade field names, as far as it is told apart.
        var upgrade = ApplicationProtocol.other

        /// - Source: RFC 6455 §4.2.2; RFC 7540 §3.2; RFC 2817 §3.
        mutating func noteUpgrade(_ bytes: RawSpan, _ range: Range<Int>) {
            let text = bytes.extracting(range).text.lowercased()
            let names: [(String, ApplicationProtocol)] = [("websocket", .webSocket), ("h2c", .http2), ("tls/", .tls)]
            upgrade = names.first { text.contains($0.0) }?.1 ?? .other
        }

        /// - Source: RFC 9112 §6.3, rule 5: a list of identical values is one value.
        mutating func noteContentLength(_ bytes: RawSpan, _ range: Range<Int>) {
            var value = 0
            var hasDigit = false
            for offset in range {
                let byte = bytes.byte(offset)
                if StartLine.isDigit(byte) {
                    let (scaled, tooLarge) = value.multipliedReportingOverflow(by: 10)
                    let (sum, overflows) = scaled.addingReportingOverflow(Int(byte &- 0x30))
                    guard !tooLarge, !overflows else { return isContentLengthValid = false }
                    value = sum
                    hasDigit = true
                } else if byte == 0x2C {
                    note(value, hasDigit)
                    value = 0
                    hasDigit = false
                } else if byte != 0x20, byte != 0x09 {
                    return isContentLengthValid = false
                }
            }
            note(value, hasDigit)
        }

        private mutating func note(_ value: Int, _ hasDigit: Bool) {
            if !hasDigit || (contentLength != nil && contentLength != value) { isContentLengthValid = false }
            contentLength = value
        }

        /// - Source: RFC 9112 §6.3, rule 4: `chunked` counts where it is the last coding.
        mutating func noteTransferEncoding(_ bytes: RawSpan, _ range: Range<Int>) {
            var start = range.lowerBound
            while let comma = bytes.firstIndex(of: 0x2C, from: start), comma < range.upperBound { start = comma + 1 }
            var end = range.upperBound
            if let parameters = bytes.firstIndex(of: 0x3B, from: start), parameters < end { end = parameters }
            while start < end, bytes.byte(start) == 0x20 || bytes.byte(start) == 0x09 { start += 1 }
            while start < end, bytes.byte(end - 1) == 0x20 || bytes.byte(end - 1) == 0x09 { end -= 1 }
            isChunked = isCoding("chunked", bytes, start..<end)
            // `identity` is no coding: RFC 2616 had it, RFC 7230 removed it.
            hasOtherTransferCoding = !isChunked && !isCoding("identity", bytes, start..<end)
        }

        private func isCoding(_ name: StaticString, _ bytes: RawSpan, _ range: Range<Int>) -> Bool {
            guard range.count == name.utf8CodeUnitCount else { return false }
            return name.withBytes { expected in
                for offset in 0..<expected.byteCount
                where bytes.byte(range.lowerBound + offset) | 0x20 != expected.byte(offset) { return false }
                return true
            }
        }
    }

    /// How a request's body ends.
    var requestFraming: BodyFraming {
        if framing.isChunked { return .chunked }
        if framing.hasOtherTransferCoding || !framing.isContentLengthValid { return .unknown }
        return .length(framing.contentLength ?? 0)
    }

    /// How a response's body ends, given the method that it answers (`nil` where the request is not known).
    func responseFraming(answering method: WaitingRequest.Method?) -> BodyFraming {
        if (100..<200).contains(status) || status == 204 || status == 304 || method == .head { return .length(0) }
        if method == .connect, (200..<300).contains(status) { return .length(0) }
        if framing.isChunked { return .chunked }
        if framing.hasOtherTransferCoding { return .untilClose }
        guard framing.isContentLengthValid else { return .unknown }
        return framing.contentLength.map { .length($0) } ?? .untilClose
    }
}
