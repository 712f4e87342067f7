/// What an HTTP/2 connection says beside its requests and responses.
public struct HTTP2Connection: Sendable {
    /// Why a stream or the connection ended.
    ///
    /// - Source: RFC 9113 §7.
    public struct ErrorCode: RawRepresentable, Hashable, Sendable {
        /// The number on the wire.
        public let rawValue: UInt32

        /// Creates a code from its number.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// No error: an orderly end.
        public static let noError = ErrorCode(rawValue: 0)
        /// The stream is not wanted any more.
        public static let cancel = ErrorCode(rawValue: 8)
        /// The request needs HTTP/1.1, for instance for NTLM.
        public static let http11Required = ErrorCode(rawValue: 13)
    }

    /// One side ended a stream before its time (RST_STREAM).
    public struct Reset: Hashable, Sendable {
        /// The stream's identifier.
        public let stream: Int
        /// Who sent it.
        public let from: Side
        /// Why.
        public let code: ErrorCode
        /// The packet that brought it, counted from 1.
        public let packet: Int
    }

    /// One side announced the end of the connection (GOAWAY).
    public struct GoAway: Hashable, Sendable {
        /// The last stream that the sender has dealt with.
        public let lastStream: Int
        /// Who sent it.
        public let from: Side
        /// Why.
        public let code: ErrorCode
        /// What the sender adds, for people; may be empty.
        public let debugData: String
        /// The packet that brought it, counted from 1.
        public let packet: Int
    }

    /// The number of the TCP connection that carries it.
    public let connection: Int

    /// Whether it lies in TLS that was decrypted.
    public let isSecure: Bool

    /// Streams that were ended before their time, in packet order.
    public internal(set) var resets: [Reset] = []

    /// Announcements of the end, in packet order.
    public internal(set) var goAways: [GoAway] = []

    /// Whether a header block could not be read in full: an earlier one is missing that it refers to.
    public internal(set) var lacksHeaderState = false

    init(connection: Int, isSecure: Bool) {
        self.connection = connection
        self.isSecure = isSecure
    }
}

extension HTTP2Connection {
    /// Whether the server refused something of it because that needs HTTP/1.1.
    public var isHTTP11Required: Bool {
        resets.contains { $0.from == .server && $0.code == .http11Required }
            || goAways.contains { $0.from == .server && $0.code == .http11Required }
    }
}

extension HTTP2Connection.ErrorCode: CustomStringConvertible {
    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// The registered name; an unknown number as such.
    public var description: String {
        let names = Self.names
        return rawValue < names.count ? names[Int(rawValue)] : "unknown (\(rawValue))"
    }
}
