/// What is asked of one of many transactions, without a copy of it: a capture has hundreds of thousands, which are asked for
/// the same few things again and again.
extension [HTTPTransaction] {
    /// The number of a transaction, counted from 1.
    public func number(_ index: Int) -> Int { self[index].number }

    /// The number of the connection that carried it.
    public func connection(_ index: Int) -> Int { self[index].connection }

    /// Whether it was a stream of HTTP/2.
    public func isHTTP2(_ index: Int) -> Bool { self[index].stream != nil }

    /// Whether it travelled inside TLS that was decrypted.
    public func isSecure(_ index: Int) -> Bool { self[index].isSecure }

    /// The values of all field lines of the request with this name, as bytes.
    public func requestValues(_ index: Int, of name: FieldName) -> [ArraySlice<UInt8>] {
        guard self[index].request?.fields.mayContain(name) == true else { return [] }
        return self[index].request?.fields.values(of: name) ?? []
    }

    /// The values of all field lines of the response with this name, as bytes.
    public func responseValues(_ index: Int, of name: FieldName) -> [ArraySlice<UInt8>] {
        guard self[index].response?.fields.mayContain(name) == true else { return [] }
        return self[index].response?.fields.values(of: name) ?? []
    }

    /// The status code of the final response; `nil` where the capture lacks it.
    public func status(_ index: Int) -> Int? { self[index].response?.status }

    /// The packet that completed the request's head; `nil` where the capture lacks the request.
    public func requestPacket(_ index: Int) -> Int? { self[index].request?.evidence.headPacket }

    /// The packet that completed the response's head; `nil` where the capture lacks the response.
    public func responsePacket(_ index: Int) -> Int? { self[index].response?.evidence.headPacket }

    /// When the request's head was complete; `nil` where the capture lacks the request.
    public func requestTime(_ index: Int) -> Timestamp? { self[index].request?.evidence.headTime }

    /// When the response's head was complete; `nil` where the capture lacks the response.
    public func responseTime(_ index: Int) -> Timestamp? { self[index].response?.evidence.headTime }

    /// Whether the head of the request is there whole.
    public func isRequestHeadComplete(_ index: Int) -> Bool { self[index].request?.isHeadComplete ?? false }

    /// Whether the head of the response is there whole.
    public func isResponseHeadComplete(_ index: Int) -> Bool { self[index].response?.isHeadComplete ?? false }

    /// The value of the request's User-Agent; empty where it has none, `nil` where the head is not there whole.
    public func userAgent(_ index: Int) -> ArraySlice<UInt8>? {
        guard self[index].request?.isHeadComplete == true else { return nil }
        return self[index].request?.fields.first(.userAgent) ?? []
    }

    /// Whether the request's User-Agent is empty or absent; `false` where the head is not there whole.
    public func lacksUserAgent(_ index: Int) -> Bool {
        self[index].request?.isHeadComplete == true && self[index].request?.fields.hasContent(.userAgent) == false
    }

    /// The method of the request; `nil` where the capture lacks the request.
    public func method(_ index: Int) -> String? { self[index].request?.method }

    /// Whether the request asks for a tunnel.
    public func isConnect(_ index: Int) -> Bool { self[index].request?.isConnect ?? false }

    /// Whether the method of the request is POST.
    public func isPost(_ index: Int) -> Bool { self[index].request?.isPost ?? false }

    /// Whether the response sets a cookie.
    public func setsCookie(_ index: Int) -> Bool { self[index].response?.fields.contains(.setCookie) ?? false }

    /// The bytes of the request target; none where the capture lacks the request.
    public func targetBytes(_ index: Int) -> ArraySlice<UInt8> { self[index].request?.targetBytes ?? [] }

    /// The value of Host, where nothing but Host names the server; `nil` otherwise.
    ///
    /// - Source: RFC 9112 §3.3: a target in origin-form, outside a tunnel.
    public func namingHost(_ index: Int) -> ArraySlice<UInt8>? {
        mayNameHost(index) ? self[index].request?.fields.namingHost : nil
    }

    /// Whether nothing but Host names the servers of two transactions, and it names the same one alike in both.
    public func namesSameHost(_ index: Int, as other: Int) -> Bool {
        guard mayNameHost(index), mayNameHost(other), self[index].isSecure == self[other].isSecure,
            let fields = self[index].request?.fields, let others = self[other].request?.fields
        else { return false }
        return fields.namesSameHost(as: others)
    }

    /// Whether it is neither inside a tunnel nor asks for one.
    private func mayNameHost(_ index: Int) -> Bool { self[index].isOutsideTunnels && !isConnect(index) }

    /// Whether the request or the response has a field that is a matter of the client and a proxy alone.
    ///
    /// - Source: RFC 9110 §11.7.
    public func concernsProxy(_ index: Int) -> Bool {
        self[index].request?.fields.contains(.proxyAuthorization) == true
            || self[index].response?.fields.contains(.proxyAuthenticate) == true
    }

    /// The packet that a transaction begins with.
    public func firstPacket(_ index: Int) -> Int { self[index].firstPacket }

    /// Whether the response's page says anything of the client's certificate.
    public func hasCertificateNotice(_ index: Int) -> Bool { self[index].response?.certificateNotice != nil }
}
