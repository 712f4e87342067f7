import AuthScanBytes
import Testing

@testable import AuthScanWire

@Suite struct HTTP2FrameTests {
    private typealias Frames = HTTP2Frames

    private func isChain(_ bytes: [UInt8]) -> Bool { withBytes(of: bytes) { HTTP2FrameHeader.isChain($0) } }

    @Test("two frames in a row are a chain, and one that ends with the packet; the last of several may be cut")
    func findsChains() {
        let request = Frames.request(7, "/a")
        #expect(isChain(request) && isChain(request + Frames.settings) && isChain(request + request.prefix(12)))
        #expect(isChain(request + request.prefix(9)))
        #expect(!isChain(Array(request.dropLast())) && !isChain(request + [0]) && !isChain(Array(request.dropFirst())))
    }

    /// RFC 9113 §4.1 and §6.
    @Test("flags, streams and lengths have to be those of the type")
    func refusesTheImplausible() {
        let eight = [UInt8](repeating: 1, count: 8)
        #expect(isChain(Frames.frame(6, stream: 0, eight)) && !isChain(Frames.frame(6, stream: 1, eight)))
        #expect(!isChain(Frames.frame(6, stream: 0, eight + [1])))
        #expect(!isChain(Frames.frame(6, flags: 2, stream: 0, eight)))
        #expect(!isChain(Frames.frame(0, stream: 0, eight)) && !isChain(Frames.frame(10, stream: 1, eight)))
        #expect(!isChain(Frames.frame(0, stream: 0x8000_0001, eight)))
        #expect(isChain(Frames.frame(0, stream: 1, [UInt8](repeating: 0, count: 16_384))))
        #expect(!isChain(Frames.frame(0, stream: 1, [UInt8](repeating: 0, count: 16_385))))
    }

    @Test("small numbers of other protocols are no frames")
    func refusesOtherProtocols() {
        // BitTorrent: have, have, unchoke.
        let have: [UInt8] = [0, 0, 0, 5, 4, 0, 0, 0, 7]
        #expect(!isChain(have) && !isChain(have + have + [0, 0, 0, 1, 1]))
        // A four, and zeros.
        #expect(!isChain([0, 0, 0, 4] + [UInt8](repeating: 0, count: 5)))
        #expect(!isChain([UInt8](repeating: 0, count: 64)) && !isChain([]))
    }
}
