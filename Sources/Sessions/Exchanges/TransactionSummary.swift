/// What is asked of every transaction of a session, in plain memory.
///
/// It lies where a transaction is referred to as well: who looks through a session then need not visit its transactions, which lie
/// anywhere in memory, nor count references to them.
public struct TransactionSummary: Sendable {
    /// What there is in a transaction at all.
    struct Marks: OptionSet, Sendable {
        let rawValue: UInt8

        static let http2 = Marks(rawValue: 1)
        static let secure = Marks(rawValue: 1 << 1)
        static let complete = Marks(rawValue: 1 << 2)
        static let noUserAgent = Marks(rawValue: 1 << 3)
        static let formLogin = Marks(rawValue: 1 << 4)
        static let credentials = Marks(rawValue: 1 << 5)
        static let proxyCredentials = Marks(rawValue: 1 << 6)
    }

    private let storedIndex: Int32
    private let storedPacket: UInt32
    private let storedStatus: UInt16
    private let marks: Marks

    init(index: Int, packet: Int, status: Int?, _ marks: Marks) {
        storedIndex = Int32(clamping: index)
        storedPacket = UInt32(clamping: packet)
        storedStatus = status.map { UInt16(clamping: $0) } ?? .max
        self.marks = marks
    }

    /// Its index in the capture's transactions.
    var index: Int { Int(storedIndex) }

    /// The transaction's number in the capture, counted from 1.
    public var number: Int { index + 1 }

    /// The packet that completed the request's head, or the response's where the request is missing.
    public var packet: Int { Int(storedPacket) }

    /// The status of the final response; `nil` where the capture lacks it.
    public var status: Int? { storedStatus == .max ? nil : Int(storedStatus) }

    /// Whether it was a stream of HTTP/2.
    public var isHTTP2: Bool { marks.contains(.http2) }

    /// Whether it travelled inside TLS that was decrypted.
    public var isSecure: Bool { marks.contains(.secure) }

    /// Whether both heads are there and whole, so that a field which is not seen was not sent.
    public var isComplete: Bool { marks.contains(.complete) }

    /// Whether the request's User-Agent field is empty or absent; `false` where the head is not there whole.
    public var lacksUserAgent: Bool { marks.contains(.noUserAgent) }

    /// Whether the request looks like the submission of a login form that was answered with a cookie.
    public var isFormLogin: Bool { marks.contains(.formLogin) }

    /// Whether the request brought credentials for the server.
    public var hasCredentials: Bool { marks.contains(.credentials) }

    /// Whether the request brought credentials for a proxy.
    public var hasProxyCredentials: Bool { marks.contains(.proxyCredentials) }

    /// Whether the request brought credentials for one of the two.
    func hasCredentials(for target: AuthenticationTarget) -> Bool {
        target == .origin ? hasCredentials : hasProxyCredentials
    }
}
