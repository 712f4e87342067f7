import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct QUICTrafficTests {
    private static let client = HostEndpoint(HostAddress(192, 0, 2, 10), port: 50101)
    private static let server = HostEndpoint(HostAddress(198, 51, 100, 20), port: 443)

    /// A capture of datagrams, each with a direction.
    private static func read(
        _ datagrams: [(isFromClient: Bool, payload: [UInt8])],
        isIPv6: Bool = false,
        limits: Limits = Limits()
    ) throws -> WireCapture {
        var capture = CaptureBuilder()
        let frames = FrameBuilder()
        for (index, datagram) in datagrams.enumerated() {
            let ends = [client, server].map { isIPv6 ? $0.overIPv6 : $0 }
            let frame = frames.udp(
                from: ends[datagram.isFromClient ? 0 : 1],
                to: ends[datagram.isFromClient ? 1 : 0],
                payload: datagram.payload
            )
            capture.add(frame, at: Int64(index) * 1_000_000)
        }
        return try analyze([capture.bytes], limits: limits)
    }

    /// The start of the client's Initial packet of RFC 9001 §A.2, and zeros up to 1200 bytes.
    private static func initial(version: UInt32 = 1) -> [UInt8] {
        [0xC3] + (0..<4).map { UInt8(truncatingIfNeeded: version >> (24 - 8 * $0)) }
            + bytes(hex: "088394c8f03e5157080000449e") + [UInt8](repeating: 0, count: 1182)
    }

    @Test("a connection is counted once, and named by its version and its ends", arguments: [false, true])
    func countsConnections(isIPv6: Bool) throws {
        let short = [0x40] + [UInt8](repeating: 1, count: 50)
        let capture = try Self.read([(true, Self.initial()), (false, Self.initial()), (true, short)], isIPv6: isIPv6)
        let connection = try #require(capture.quicConnections.first)
        #expect(capture.quicConnections.count == 1)
        #expect(connection.server.port == 443)
        #expect(connection.client.port == 50101)
        #expect(connection.firstPacket == 1)
        #expect(connection.packets == 2)
        #expect(connection.version.description == "QUIC version 1")
    }

    @Test("a server that alone was captured is still the server")
    func knowsTheServer() throws {
        let connection = try #require(try Self.read([(false, Self.initial())]).quicConnections.first)
        #expect(connection.server.port == 443)
    }

    @Test(
        "versions have names",
        arguments: [
            (0x6B33_43CF, "QUIC version 2"), (0xFF00_001D, "QUIC draft 29"), (0x5130_3530, "QUIC Q050"),
            (0x5430_3531, "QUIC T051"),
        ] as [(UInt32, String)]
    )
    func namesVersions(version: UInt32, name: String) throws {
        let capture = try Self.read([(true, Self.initial(version: version))])
        #expect(capture.quicConnections.map(\.version.description) == [name])
    }

    @Test("other datagrams are none: an unknown version, a short header, a cut one, an impossible identifier")
    func passesOthersOver() throws {
        var long = Self.initial()
        long[5] = 21
        let (short, cut) = ([0x43] + Self.initial().dropFirst(), Array(Self.initial().prefix(6)))
        let others = [Self.initial(version: 2), short, cut, long]
        #expect(try Self.read(others.map { (true, $0) }).quicConnections.isEmpty)
    }

    @Test("connections beyond the limit are counted as left out")
    func keepsWithinTheLimit() throws {
        var limits = Limits()
        limits.quicConnections = 0
        let capture = try Self.read([(true, Self.initial())], limits: limits)
        #expect(capture.quicConnections.isEmpty)
        #expect(capture.limitsExceeded.map(\.limit) == ["QUIC connections"])
    }
}
