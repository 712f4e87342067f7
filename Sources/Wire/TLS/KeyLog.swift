public import AuthScanBytes
import AuthScanNativeCodecs

/// The secrets of TLS sessions as browsers and libraries log them for debugging (`SSLKEYLOGFILE`).
///
/// ```
/// LABEL SP <random of the ClientHello, 64 hexadecimal digits> SP <secret, hexadecimal digits>
/// RSA SP <first 8 bytes of the encrypted premaster secret> SP <premaster secret>
/// RSA Session-ID:<session identifier> Master-Key:<master secret>
/// ```
///
/// A log may have a million lines: secrets lie one after the other in one buffer, and are found by their random.
///
/// - Source: draft-ietf-tls-keylogfile; Mozilla's "NSS Key Log Format".
public struct KeyLog: Sendable {
    /// What a secret is for.
    enum Label: UInt8, CaseIterable {
        case masterSecret
        case clientEarlyTraffic
        case clientHandshakeTraffic
        case serverHandshakeTraffic
        case clientTraffic
        case serverTraffic
        case premasterSecret
        /// Found by the first bytes of the encrypted premaster secret.
        case rsaPremasterSecret
        /// Found by the session identifier.
        case sessionMasterSecret

        /// The word in the log; the last two are told by more than that.
        fileprivate var word: StaticString {
            switch self {
            case .masterSecret: "CLIENT_RANDOM"
            case .clientEarlyTraffic: "CLIENT_EARLY_TRAFFIC_SECRET"
            case .clientHandshakeTraffic: "CLIENT_HANDSHAKE_TRAFFIC_SECRET"
            case .serverHandshakeTraffic: "SERVER_HANDSHAKE_TRAFFIC_SECRET"
            case .clientTraffic: "CLIENT_TRAFFIC_SECRET_0"
            case .serverTraffic: "SERVER_TRAFFIC_SECRET_0"
            case .premasterSecret: "PMS_CLIENT_RANDOM"
            case .rsaPremasterSecret: "RSA"
            case .sessionMasterSecret: "RSA Session-ID:"
            }
        }
    }

    private struct Row {
        let label: Label
        let start: UInt32
        let length: UInt8
        /// The next secret of the same session; −1 behind the last.
        let following: Int32
    }

    private var secrets: [UInt8] = []
    private var rows: [Row] = []
    private var rowsByKey: [ByteKey: Int32] = [:]
    /// The line whose end has not arrived.
    private var carried: [UInt8] = []
    /// Whether the rest of an overlong line is still to be passed over.
    private var isSkippingLine = false
    private var line = 0
    private let limit: Int

    /// How many sessions have secrets here.
    public var sessions: Int { rowsByKey.count }

    /// How many lines were no line of a key log, comments and empty lines not counted.
    public private(set) var foreignLines = 0

    /// The number of the first such line, counted from 1.
    public private(set) var firstForeignLine = 0

    /// Whether the log ends in the middle of a line.
    public private(set) var endsInsideLine = false

    /// How many secrets were not kept because there were too many.
    public private(set) var secretsLeftOut = 0

    /// The longest line that a key log has, with room to spare.
    private static let longestLine = 1 << 10

    /// An empty log that keeps within the limits.
    public init(limits: Limits = Limits()) { limit = limits.keyLogSecrets }

    /// Whether it has premaster secrets, of which master secrets must be derived first.
    private(set) var hasPremasterSecrets = false

    /// Whether there is nothing to decrypt with.
    public var isEmpty: Bool { rows.isEmpty }

    /// Takes the next bytes of the log, in blocks of any size.
    public mutating func receive(_ block: [UInt8]) { withBytes(of: block) { receive($0) } }

    mutating func receive(_ block: RawSpan) {
        var start = 0
        while let lineFeed = block.firstIndex(of: 0x0A, from: start) {
            if isSkippingLine {
                isSkippingLine = false
                noteForeign()
            } else if carried.isEmpty {
                read(block.extracting(start..<lineFeed))
            } else {
                carry(block.extracting(start..<lineFeed))
                readCarried()
            }
            start = lineFeed + 1
        }
        if start < block.byteCount, !isSkippingLine { carry(block.extracting(start..<block.byteCount)) }
    }

    /// Ends the log: what is left is its last line.
    public mutating func finish() {
        if isSkippingLine { noteForeign() }
        isSkippingLine = false
        guard !carried.isEmpty else { return }
        let before = foreignLines
        readCarried()
        endsInsideLine = foreignLines > before
    }

    private mutating func carry(_ bytes: RawSpan) {
        if carried.count + bytes.byteCount > KeyLog.longestLine {
            carried = []
            isSkippingLine = true
        } else {
            carried.append(bytes)
        }
    }

    private mutating func readCarried() {
        if isSkippingLine {
            isSkippingLine = false
            return noteForeign()
        }
        var text: [UInt8] = []
        swap(&text, &carried)
        withBytes(of: text) { read($0) }
    }

    private mutating func noteForeign() {
        line += 1
        foreignLines += 1
        if foreignLines == 1 { firstForeignLine = line }
    }

    private mutating func read(_ text: RawSpan) {
        var end = text.byteCount
        while end > 0, text.byte(end - 1) == 0x0D || text.byte(end - 1) == 0x20 { end -= 1 }
        if end == 0 || text.byte(0) == 0x23 {
            line += 1
        } else if keep(text.extracting(0..<end)) {
            line += 1
        } else {
            noteForeign()
        }
    }
}

// MARK: - One line

extension KeyLog {
    /// Reads one line; `false` where it is none of a key log.
    private mutating func keep(_ text: RawSpan) -> Bool {
        if text.holds(Label.sessionMasterSecret.word, at: 0) { return keepSession(text) }
        guard let space = text.firstIndex(of: 0x20, from: 0),
            let second = text.firstIndex(of: 0x20, from: space + 1)
        else { return false }
        let label = Label.allCases.first { label in
            label != .sessionMasterSecret && label.word.utf8CodeUnitCount == space && text.holds(label.word, at: 0)
        }
        guard let key = hexadecimal(text, (space + 1)..<second),
            let secret = hexadecimal(text, (second + 1)..<text.byteCount)
        else { return false }
        guard let label else { return isUnreadLabel(text, 0..<space) && key.count == 32 }
        guard key.count == (label == .rsaPremasterSecret ? 8 : 32), (32...64).contains(secret.count) else {
            return false
        }
        add(label, key: key, secret)
        return true
    }

    /// `RSA Session-ID:<hexadecimal> Master-Key:<hexadecimal>`, which OpenSSL's tools print.
    private mutating func keepSession(_ text: RawSpan) -> Bool {
        let start = Label.sessionMasterSecret.word.utf8CodeUnitCount
        guard let space = text.firstIndex(of: 0x20, from: start), text.holds("Master-Key:", at: space + 1),
            let key = hexadecimal(text, start..<space), !key.isEmpty,
            let secret = hexadecimal(text, (space + 12)..<text.byteCount), secret.count == 48
        else { return false }
        add(.sessionMasterSecret, key: key, secret)
        return true
    }

    /// A label of the format whose secret opens no records: `EXPORTER_SECRET` and the like.
    private func isUnreadLabel(_ text: RawSpan, _ range: Range<Int>) -> Bool {
        for offset in range {
            let byte = text.byte(offset)
            guard byte &- 0x41 < 26 || byte == 0x5F || byte &- 0x30 < 10 else { return false }
        }
        return !range.isEmpty
    }

    private func hexadecimal(_ text: RawSpan, _ range: Range<Int>) -> [UInt8]? {
        guard range.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count / 2)
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            guard let high = Hex.value(of: text.byte(offset)), let low = Hex.value(of: text.byte(offset + 1)) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private mutating func add(_ label: Label, key: [UInt8], _ secret: [UInt8]) {
        guard rows.count < limit else {
            secretsLeftOut += 1
            return
        }
        let key = ByteKey(key)
        let following = rowsByKey[key] ?? -1
        rowsByKey[key] = Int32(rows.count)
        rows.append(
            Row(
                label: label,
                start: UInt32(secrets.count),
                length: UInt8(secret.count),
                following: following
            )
        )
        secrets += secret
        if label == .premasterSecret || label == .rsaPremasterSecret { hasPremasterSecrets = true }
    }

    /// Whether anything is known of the session whose ClientHello has this random.
    func knows(_ random: [UInt8]) -> Bool { rowsByKey[ByteKey(random)] != nil }

    /// A secret, the last one written where the log has several of a kind; `nil` where it has none.
    func secret(_ label: Label, of key: [UInt8]) -> [UInt8]? {
        var row = rowsByKey[ByteKey(key)] ?? -1
        while row >= 0 {
            let found = rows[Int(row)]
            if found.label == label { return Array(secrets[Int(found.start)..<(Int(found.start) + Int(found.length))]) }
            row = found.following
        }
        return nil
    }
}
