/// What is asked of every transaction of a capture, taken in one look at it.
///
/// A capture may hold hundreds of thousands, and each lies elsewhere in memory than the one before.
public struct TransactionOutline: Sendable {
    /// The number of the connection that carried it.
    public let connection: Int

    /// Whether it was a stream of HTTP/2.
    public let isHTTP2: Bool

    /// Whether it travelled inside TLS that was decrypted.
    public let isSecure: Bool

    /// The packet that completed the request's head; `nil` where the capture lacks the request.
    public let requestPacket: Int?

    /// The packet that completed the response's head; `nil` where the capture lacks the response.
    public let responsePacket: Int?

    /// The status code of the final response; `nil` where the capture lacks it.
    public let status: Int?

    /// Whether the heads of request and response are there whole.
    public let isComplete: Bool

    /// Whether the request's User-Agent is empty or absent; `false` where the head is not there whole.
    public let lacksUserAgent: Bool

    /// Whether the request asks for a tunnel.
    public let isConnect: Bool

    /// Whether the method of the request is POST.
    public let isPost: Bool

    /// A number of the host, where nothing but Host names the server; `nil` where it has none.
    ///
    /// What has the same number names the same host alike; a host may have several.
    public let hostNumber: Int?

    private let requestFields: FieldPlace
    private let responseFields: FieldPlace

    @inline(__always)
    init(_ stored: StoredTransaction, isInTunnel: Bool) {
        connection = stored.connection
        isHTTP2 = stored.stream != nil
        isSecure = stored.isSecure
        let request = stored.request
        let response = stored.response
        requestPacket = request?.evidence.headPacket
        responsePacket = response?.evidence.headPacket
        status = response?.status
        isComplete = request?.isHeadComplete == true && response?.isHeadComplete == true
        lacksUserAgent = request?.isHeadComplete == true && request?.isUserAgentNamed == false
        isConnect = request?.isConnect ?? false
        isPost = request?.isPost ?? false
        hostNumber = isInTunnel || isConnect ? nil : request?.fields.hostNumber
        requestFields = request?.fields ?? FieldPlace()
        responseFields = response?.fields ?? FieldPlace()
    }

    /// Whether the request or the response may have a field that is a matter of the client and a proxy alone.
    public var mayConcernProxy: Bool {
        requestMayContain(.proxyAuthorization) || responseMayContain(.proxyAuthenticate)
    }

    /// Whether the request may have a field with this name: a quick look, which tells that most are not there.
    public func requestMayContain(_ name: FieldName) -> Bool { requestFields.mayContain(name) }

    /// The same of the response.
    public func responseMayContain(_ name: FieldName) -> Bool { responseFields.mayContain(name) }
}
