/// How far the reading of one direction of a TLS connection has come.
///
/// - A record that lies in one packet is read where it lies; one that spans packets is put together in `record`.
/// - A gap inside a record loses that record alone: its length says where the next one starts. Where a gap swallowed a record's
///   header, the next one is looked for, and counts once it proves authentic.
final class TLSDirection {
    /// Keys that the direction may come to.
    struct Epoch {
        enum Level {
            case earlyData
            case handshake
            case application
        }

        let level: Level
        let secret: [UInt8]
    }

    /// The record that is being put together.
    var record = PartialRecord()
    /// Bytes that were taken for a record and are looked through again.
    var replay: [UInt8] = []
    /// Where reading stands.
    var state = State.records
    /// How many bytes were lost since the last record that was read, headers included.
    var lostBytes = 0
    /// How many whole records they were, as far as that is known.
    var lostRecords = 0
    /// How often a header was found behind a gap that was none.
    var failedSearches = 0

    var handshake = HandshakeReader()
    /// Whether records are protected from here on.
    var isProtected = false
    /// Whether its Finished message was seen, or what must be it.
    var isFinished = false
    /// How many handshakes it has finished.
    var handshakes = 0
    var decryptor: RecordDecryptor?
    /// The level of the keys in use, and what the next ones derive from (TLS 1.3).
    var current: Epoch?
    /// The keys that follow, in order (TLS 1.3).
    var epochs: [Epoch] = []
    /// How many records were opened.
    var openedRecords = 0
    /// How many records could not be opened.
    var opaqueRecords = 0
    /// How many records later keys were tried on.
    var trials = 0
    /// The lengths of the first protected records that could not be opened.
    var opaqueLengths: [Int] = []
    /// How many lengths are kept.
    static let opaqueLengthLimit = 4
    /// The last record, where it is as long as an alert and cannot be read.
    var possibleAlert: (packet: Int, time: Timestamp)?

    /// How many bytes of content may pass unseen, as whoever reads the content says before each record.
    var passable = 0

    /// A record that is passed over unopened: it holds nothing but content that nobody looks at.
    struct UnseenRecord: Equatable {
        /// Its length, header included.
        let length: Int
        /// The length of its content.
        let count: Int
        /// The part of the nonce that travels with it; `nil` where none does.
        let nonce: UInt64?
        /// How many of its bytes are to come.
        var rest: Int
    }

    /// A record of which some bytes are there.
    struct PartialRecord {
        /// What there is of it, header included.
        private(set) var bytes: [UInt8] = []
        /// How many bytes are to come; 0 as long as the header is not whole.
        private(set) var missing = 0

        var count: Int { bytes.count }
        var isEmpty: Bool { bytes.isEmpty }

        /// Takes the next bytes of the header.
        mutating func appendHeader(_ source: RawSpan, at position: inout Int) {
            let count = min(RecordDecryptor.headerBytes - bytes.count, source.byteCount - position)
            append(count, of: source, at: &position)
        }

        /// The header is whole, and says how long the record is.
        mutating func begin(length: Int) {
            missing = length - bytes.count
            bytes.reserveCapacity(length)
        }

        /// Takes bytes from behind the header, as many as are there; `true` where the record is whole with them.
        mutating func append(_ source: RawSpan, at position: inout Int) -> Bool {
            let count = min(missing, source.byteCount - position)
            append(count, of: source, at: &position)
            missing -= count
            return missing == 0
        }

        private mutating func append(_ count: Int, of source: RawSpan, at position: inout Int) {
            bytes.append(source.extracting(position..<(position + count)))
            position += count
        }

        /// Forgets the bytes, and keeps their room.
        mutating func removeAll() {
            bytes.removeAll(keepingCapacity: true)
            missing = 0
        }
    }

    /// Where reading stands.
    enum State: Equatable {
        /// At a record, or inside one.
        case records
        /// Inside a record that cannot be read, or whose beginning is lost; so many bytes are left.
        case passing(Int)
        /// Inside a record that is not opened, because nobody looks at its content.
        case unseen(UnseenRecord)
        /// Nobody knows where the next record starts.
        case searching
        /// Nothing more is read.
        case ended
    }

    /// The longest record, header included.
    ///
    /// - Source: RFC 5246 §6.2.3: 2^14 + 2048 bytes.
    static let longestRecord = RecordDecryptor.headerBytes + (1 << 14) + 2048
    /// How many false headers are looked behind.
    static let searchLimit = 32

    /// The length of the record at `offset`, header included; `nil` where there is no record's header.
    static func recordLength(_ bytes: RawSpan, at offset: Int) -> Int? {
        let length = RecordDecryptor.headerBytes + Int(bytes.bigEndian16(offset + 3))
        let isHeader =
            (20...24).contains(bytes.byte(offset)) && bytes.byte(offset + 1) == 3 && bytes.byte(offset + 2) <= 4
        return isHeader && length <= longestRecord ? length : nil
    }

    /// The length of a ClientHello in the framing of SSL 2.0 at `offset`, header included; `nil` where there is none.
    ///
    ///     1 length(15 bits) msg_type(1) = 1 version(2) …
    ///
    /// - Source: RFC 5246 §E.2.
    static func oldHelloLength(_ bytes: RawSpan, at offset: Int) -> Int? {
        let length = 2 + Int(bytes.bigEndian16(offset) & 0x7FFF)
        let isHello =
            bytes.byte(offset) & 0x80 != 0 && bytes.byte(offset + 2) == 1 && bytes.byte(offset + 3) == 3
            && bytes.byte(offset + 4) <= 4
        return isHello && (11...longestOldHello).contains(length) ? length : nil
    }

    /// More than any client sends.
    private static let longestOldHello = 1024

    /// The length of what starts at `offset`, header included: a record, or first of all an old hello.
    func unitLength(_ bytes: RawSpan, at offset: Int) -> Int? {
        if let length = TLSDirection.recordLength(bytes, at: offset) { return length }
        return isProtected ? nil : TLSDirection.oldHelloLength(bytes, at: offset)
    }

    /// The record at `offset`, of that length, where it may pass unopened; `nil` where it must be opened.
    func unseenRecord(_ bytes: RawSpan, at offset: Int, length: Int) -> UnseenRecord? {
        guard bytes.byte(offset) == ContentType.applicationData, lostBytes == 0,
            bytes.byteCount - offset >= RecordDecryptor.longestStart,
            let decryptor, let count = decryptor.statedContent(length: length), (1...passable).contains(count)
        else { return nil }
        let start = bytes.extracting(offset..<(offset + RecordDecryptor.longestStart))
        return UnseenRecord(length: length, count: count, nonce: decryptor.travellingNonce(start), rest: length)
    }

    /// The length of the content of a whole record of TLS 1.3 that may pass unopened; `nil` where it must be opened.
    func unseenContent(_ record: RawSpan) -> Int? {
        guard lostBytes == 0, let content = decryptor?.hiddenContent(record),
            content.type == ContentType.applicationData, (1...passable).contains(content.count)
        else { return nil }
        return content.count
    }

    /// Whether there are keys that may open its records.
    var mayOpen: Bool { decryptor != nil || !epochs.isEmpty }

    /// Notes that bytes are missing.
    func receiveGap(_ count: Int) {
        handshake.reset()
        switch state {
        case .ended: return
        case .searching: lostBytes += record.count + count
        case .passing(let rest): lose(count, ofRest: rest)
        case .unseen(let record):
            lostBytes += record.length - record.rest
            lose(count, ofRest: record.rest)
        case .records:
            lostBytes += record.count
            if record.missing > 0 { lose(count, ofRest: record.missing) } else { search(lost: count) }
        }
        record.removeAll()
    }

    /// Hands the bytes ahead over that nobody looks at, all but the last one, with which a record ends; returns how many they are.
    func takeUnread() -> Int {
        switch state {
        case .passing(let rest):
            state = .passing(1)
            lostBytes += rest - 1
            return rest - 1
        case .unseen(var record):
            let count = record.rest - 1
            record.rest = 1
            state = .unseen(record)
            return count
        case .records, .searching, .ended: return 0
        }
    }

    /// Takes bytes back that were handed over and have not come.
    func giveBack(_ count: Int) {
        switch state {
        case .passing(let rest):
            state = .passing(rest + count)
            lostBytes -= count
        case .unseen(var record):
            record.rest += count
            state = .unseen(record)
        case .records, .searching, .ended: break
        }
    }

    /// Adds bytes to the record that is being put together where it does not end with them; `false` where it does, or there is none.
    func appendMiddle(_ bytes: RawSpan, at position: inout Int) -> Bool {
        guard state == .records, record.missing > bytes.byteCount - position else { return false }
        return !record.append(bytes, at: &position)
    }

    /// Loses bytes of a record of which so many are left.
    private func lose(_ count: Int, ofRest rest: Int) {
        if count <= rest {
            lostBytes += count
            if count == rest { loseRecord() } else { state = .passing(rest - count) }
        } else {
            lostBytes += rest
            loseRecord()
            search(lost: count - rest)
        }
    }

    /// A record was lost whole, or to its end.
    func loseRecord() {
        state = .records
        lostRecords += 1
        if isProtected { decryptor?.noteLoss(upTo: 0) }
    }

    /// Notes a whole record that does not open although the keys are right: it is damaged, or its vector was lost (TLS 1.0).
    ///
    /// It counts as one that may be missing, so that the next one opens.
    func noteDamaged(_ length: Int) {
        lostBytes += length
        decryptor?.noteLoss(upTo: 1)
    }

    private func search(lost count: Int) {
        lostBytes += count
        state = .searching
        let shortest = decryptor.map(\.overhead) ?? RecordDecryptor.headerBytes
        decryptor?.noteLoss(upTo: count / shortest + 1)
    }
}
