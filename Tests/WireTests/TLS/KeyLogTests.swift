import AuthScanBytes
import Testing

@testable import AuthScanWire

@Suite struct KeyLogTests {
    private static let random = [UInt8](repeating: 0xAB, count: 32)
    private static let randomText = String(repeating: "ab", count: 32)
    private static let secretText = String(repeating: "0C", count: 48)

    private static func read(_ text: String, blockSize: Int = .max, limits: Limits = Limits()) -> KeyLog {
        var log = KeyLog(limits: limits)
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let end = start + min(blockSize, bytes.count - start)
            log.receive(Array(bytes[start..<end]))
            start = end
        }
        log.finish()
        return log
    }

    private static func words(_ log: KeyLog, handshakes: Int = 0, known: Int = 0, wrong: Int = 0) -> [String] {
        log.problems(path: "keys", handshakes: handshakes, knownHandshakes: known, wrongHandshakes: wrong)
            .map(\.message)
    }

    @Test("every label is kept under its session, whatever the blocks and line ends", arguments: [1, 13, .max])
    func reads(blockSize: Int) {
        let text = """
            # a comment

            CLIENT_RANDOM \(Self.randomText) \(Self.secretText)\r
            EXPORTER_SECRET \(Self.randomText) \(Self.secretText)
            RSA 0102030405060708 \(Self.secretText)
            RSA Session-ID:0102 Master-Key:\(Self.secretText)
            """
        let log = Self.read(text, blockSize: blockSize)
        let secret = [UInt8](repeating: 0x0C, count: 48)
        #expect(log.secret(.masterSecret, of: Self.random) == secret)
        #expect(log.secret(.rsaPremasterSecret, of: [1, 2, 3, 4, 5, 6, 7, 8]) == secret)
        #expect(log.secret(.sessionMasterSecret, of: [1, 2]) == secret)
        #expect(log.secret(.clientTraffic, of: Self.random) == nil)
        #expect(log.foreignLines == 0)
        #expect(Self.words(log) == [])
    }

    @Test("a file that is no key log is called so")
    func namesForeignFiles() {
        #expect(
            Self.words(Self.read("-----BEGIN CERTIFICATE-----\nabc\n"))
                == ["no secrets can be read from the key log: none of its 2 lines is in the NSS key log format"]
        )
        #expect(Self.words(Self.read("")) == ["no secrets can be read from the key log: it is empty"])
        let binary = String(repeating: "\u{1}", count: 100_000)
        #expect(Self.words(Self.read(binary, blockSize: 4096)).first?.contains("none of its 1 lines") == true)
    }

    @Test("a log that was cut keeps its whole lines")
    func namesTruncation() {
        let line = "CLIENT_RANDOM \(Self.randomText) \(Self.secretText)\n"
        let log = Self.read(line + line.prefix(90))
        #expect(log.secret(.masterSecret, of: Self.random) != nil)
        #expect(Self.words(log) == ["the key log ends in the middle of a line: secrets may be missing"])
    }

    @Test("lines that are none are counted, and the first is named")
    func namesDamage() {
        let line = "CLIENT_RANDOM \(Self.randomText) \(Self.secretText)\n"
        let log = Self.read(line + "CLIENT_RANDOM 12 34\n" + line + "what\n")
        #expect(Self.words(log) == ["2 lines, the first line 2, are not in the NSS key log format and passed over"])
    }

    @Test("a log of other connections is called so, but not where the capture has no handshake")
    func namesTheWrongLog() {
        let log = Self.read("CLIENT_RANDOM \(Self.randomText) \(Self.secretText)\n")
        let words = Self.words(log, handshakes: 3, known: 0)
        #expect(words.first?.contains("none of the capture's 3 TLS handshakes") == true)
        #expect(Self.words(log, handshakes: 3, known: 1) == [])
        #expect(Self.words(log, handshakes: 0, known: 0) == [])
    }

    @Test("secrets that open nothing are counted")
    func namesWrongSecrets() {
        let log = Self.read("CLIENT_RANDOM \(Self.randomText) \(Self.secretText)\n")
        #expect(
            Self.words(log, handshakes: 3, known: 2, wrong: 1)
                == ["the secrets of 1 of 2 handshakes in the key log do not fit: nothing opens"]
        )
        #expect(
            Self.words(log, handshakes: 3, known: 1, wrong: 1)
                == ["the secrets of 1 handshake in the key log do not fit: nothing opens"]
        )
    }

    @Test("what is beyond the limit is counted")
    func keepsItsLimit() {
        var limits = Limits()
        limits.keyLogSecrets = 1
        let log = Self.read(
            "CLIENT_RANDOM \(Self.randomText) \(Self.secretText)\nRSA 0102030405060708 \(Self.secretText)\n",
            limits: limits
        )
        #expect(log.secretsLeftOut == 1)
        #expect(log.sessions == 1)
    }
}
