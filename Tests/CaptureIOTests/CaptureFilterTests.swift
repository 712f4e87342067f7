import AuthScanWire
import Testing

@testable import AuthScanCaptureIO

@Suite struct CaptureFilterTests {
    /// Ethernet, IPv4, TCP from 192.0.2.10:50000 to 198.51.100.20:80.
    private static let internetPacket: [UInt8] =
        [0x45, 0, 0, 40, 0, 1, 0, 0, 64, 6, 0, 0, 192, 0, 2, 10, 198, 51, 100, 20]
        + [0xC3, 0x50, 0, 80, 0, 0, 0, 1, 0, 0, 0, 0, 0x50, 2, 0xFF, 0xFF, 0, 0, 0, 0]
    private static let ethernetFrame = [UInt8](repeating: 2, count: 12) + [8, 0] + internetPacket

    private func verdict(_ filter: CaptureFilter, _ frame: [UInt8], linkType: UInt16) -> FrameVerdict {
        unsafe frame.withUnsafeBytes { bytes in
            // SAFETY: the span is used within the closure alone, as long as the buffer lives.
            let span = unsafe RawSpan(_unsafeBytes: bytes)
            return filter.verdict(on: span, linkType: linkType, originalLength: frame.count)
        }
    }

    @Test(
        "an expression says which frames pass, by their addresses and ports",
        arguments: [
            ("tcp port 80", true), ("host 192.0.2.10 and dst port 80", true), ("host 192.0.2.11", false),
            ("udp", false), ("net 198.51.100.0/24", true), ("tcp[tcpflags] & tcp-syn != 0", true), ("", true),
            ("greater 60", false),
        ]
    )
    func filters(expression: String, passes: Bool) throws {
        let filter = try CaptureFilter(expression)
        #expect(verdict(filter, Self.ethernetFrame, linkType: 1) == (passes ? .pass : .drop))
        // Registered numbers of raw IP, of IPv4 and of Linux' cooked header differ from the system's own.
        #expect(verdict(filter, Self.internetPacket, linkType: 101) == (passes ? .pass : .drop))
        #expect(verdict(filter, Self.internetPacket, linkType: 228) == (passes ? .pass : .drop))
        let cooked = [UInt8](repeating: 0, count: 14) + [8, 0] + Self.internetPacket
        #expect(verdict(filter, cooked, linkType: 113) == (passes ? .pass : .drop))
        #expect(verdict(filter, Self.ethernetFrame, linkType: 1) == (passes ? .pass : .drop))
    }

    @Test(
        "a wrong expression is refused in libpcap's words",
        arguments: ["tcp port", "host 1.2.3.400", "port http(", "(tcp"]
    )
    func refuses(expression: String) {
        #expect { try CaptureFilter(expression) } throws: { error in
            (error as? FilterError)?.message.isEmpty == false
        }
    }

    @Test("what only one kind of link has is no mistake, and lets nothing of the others pass")
    func appliesWhereItCan() throws {
        let filter = try CaptureFilter("type mgt")
        guard case .inapplicable(let reason) = verdict(filter, Self.ethernetFrame, linkType: 1) else {
            Issue.record("a frame of Ethernet passed a filter of Wi-Fi")
            return
        }
        #expect(!reason.isEmpty)
        let ether = try CaptureFilter("ether src 02:02:02:02:02:02")
        #expect(verdict(ether, Self.ethernetFrame, linkType: 1) == .pass)
        guard case .inapplicable = verdict(ether, Self.internetPacket, linkType: 101) else {
            Issue.record("raw IP has no Ethernet address")
            return
        }
    }

    @Test("a cut or empty frame does no harm")
    func survivesCutFrames() throws {
        let filter = try CaptureFilter("tcp port 80")
        for count in 0..<Self.ethernetFrame.count {
            _ = verdict(filter, Array(Self.ethernetFrame.prefix(count)), linkType: 1)
        }
        #expect(verdict(filter, [], linkType: 1) == .drop)
    }
}
