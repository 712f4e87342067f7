import AuthScanBytes

/// One QUIC connection, which is present and not readable: its first packets tell version and ends.
///
/// - Source: RFC 9000 §17.2; RFC 8999 §5.1.
public struct QUICConnection: Hashable, Sendable {
    /// The end that spoke first, or that does not use a server's port.
    public let client: Endpoint

    /// The other end.
    public let server: Endpoint

    /// The version that its packets state.
    public let version: QUICVersion

    /// The first packet of it, counted from 1.
    public let firstPacket: Int

    /// How many packets with a long header it has; those that follow have a short one, and are not told apart from others.
    public internal(set) var packets = 1
}

/// A version of QUIC.
///
/// - Source: the IANA registry "QUIC Versions".
public struct QUICVersion: RawRepresentable, Hashable, Sendable {
    /// The four bytes on the wire, most significant first.
    public let rawValue: UInt32

    /// Creates a version from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Whether packets of the version are told from other datagrams: the registered ones, drafts, and Google's own.
    @inline(__always) var isKnown: Bool {
        switch rawValue {
        case 1, 0x6B33_43CF, 0x709A_50C4: true
        case 0xFF00_0000...0xFF00_00FF: true
        // "Q043" to "Q059", "T050" to "T059".
        case 0x5130_3433...0x5130_3539, 0x5430_3530...0x5430_3539: true
        default: false
        }
    }
}

extension QUICVersion: CustomStringConvertible {
    /// `QUIC version 1` and so on; Google's own by their letters.
    public var description: String {
        switch rawValue {
        case 1: "QUIC version 1"
        case 0x6B33_43CF: "QUIC version 2"
        case 0x709A_50C4: "QUIC version 2 (draft)"
        case 0xFF00_0000...0xFF00_00FF: "QUIC draft \(rawValue & 0xFF)"
        case 0x5130_3433...0x5430_3539:
            "QUIC "
                + String(
                    decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) },
                    as: UTF8.self
                )
        default: "QUIC version unknown (0x\(String(rawValue, radix: 16, uppercase: true)))"
        }
    }
}

/// Counts the QUIC connections of a capture.
struct QUICTraffic {
    private struct Ends: Hashable {
        let first: Endpoint
        let second: Endpoint
    }

    /// The connections in the order in which they begin.
    private(set) var connections: [QUICConnection] = []
    private var indices: [Ends: Int] = [:]
    private let limit: Int
    /// How many packets belonged to connections beyond the limit.
    private(set) var packetsLeftOut = 0

    init(limits: Limits) { limit = limits.quicConnections }

    /// Takes a datagram that begins with a long header.
    ///
    /// ```
    /// 1 1 type(2) type-specific(4) version(4) destination connection ID<0..20> source connection ID<0..20>
    /// ```
    mutating func receive(_ datagram: TCPSegment, in bytes: RawSpan, packet: Int) {
        let (source, destination) = (datagram.source, datagram.destination)
        let version = QUICVersion(rawValue: bytes.bigEndian32(datagram.payloadStart + 1))
        if let index = indices[Ends(first: source, second: destination)] {
            connections[index].packets += 1
        } else if connections.count < limit {
            let isFromServer = source.port < 1024 && destination.port >= 1024
            indices[Ends(first: source, second: destination)] = connections.count
            indices[Ends(first: destination, second: source)] = connections.count
            connections.append(
                QUICConnection(
                    client: isFromServer ? destination : source,
                    server: isFromServer ? source : destination,
                    version: version,
                    firstPacket: packet
                )
            )
        } else {
            packetsLeftOut += 1
        }
    }
}
