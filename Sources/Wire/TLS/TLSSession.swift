import AuthScanNativeCodecs

/// Content of a TLS connection that was decrypted; the bytes are in `TLSMaterial`'s buffer.
struct TLSPlaintext: Equatable {
    /// How many bytes of content before it are missing.
    var lost = 0
    /// How many bytes there are.
    var count: Int
    /// Whether they were not decrypted, because nobody looks at them.
    var isUnseen = false
}

/// Follows one TLS connection through its records: what the handshake says, and the content where there are keys.
///
/// Both directions are read independently, as the capture brings them. What protects a direction's records changes with
/// ChangeCipherSpec (before TLS 1.3), with Finished and KeyUpdate (TLS 1.3); where such a message is missing or cannot be read, later
/// keys are tried on a record that does not open.
///
/// - Source: RFC 8446; RFC 5246; RFC 6101 for what SSL 3.0 has in clear.
final class TLSSession {
    var facts: TLSConnection
    let material: TLSMaterial
    let directions = [TLSDirection(), TLSDirection()]
    /// The client's direction, once a hello has told.
    var clientDirection: Int?
    /// The direction that is the client's as far as TCP tells.
    private let presumedClient: Int
    /// Whether HTTP/2 was begun because both sides had agreed upon it.
    var hasBegunHTTP2 = false
    var serverHello: ServerHello?
    /// Keys before TLS 1.3, of the handshake that was seen last.
    var legacyKeys: LegacyKeys?
    /// What the handshake in progress has shown.
    var flight = Flight()

    /// What a handshake before TLS 1.3 has shown so far.
    struct Flight {
        var hasServerFlight = false
        var encryptedPremaster: [UInt8]?
        var masterSecret: [UInt8]?
        var ticket: [UInt8] = []
        /// The messages up to ClientKeyExchange, where the keys may depend on them.
        var transcript: [UInt8] = []
        var sessionHash: [UInt8]?
    }

    /// How many alerts are kept.
    static let alertLimit = 16

    init(connection: Int, tunnel: String?, packet: Int, presumedClient: Int, material: TLSMaterial) {
        self.presumedClient = presumedClient
        facts = TLSConnection(connection: connection, tunnel: tunnel, firstPacket: packet)
        self.material = material
    }

    /// Whether TLS 1.3 was chosen.
    var isTLS13: Bool { serverHello.map { $0.version >= .tls13 } ?? false }

    /// Whether ChangeCipherSpec changes nothing, and pleases middleboxes.
    ///
    /// - Source: RFC 8446 §D.4: a client sends it before its second hello, or before early data, while the choice of TLS 1.3 is still
    ///   to come.
    var ignoresChangeCipherSpec: Bool {
        if serverHello != nil { return isTLS13 }
        return facts.helloRetryPacket != nil || facts.clientHello?.offersEarlyData == true
    }

    func side(of direction: Int) -> Side { direction == (clientDirection ?? presumedClient) ? .client : .server }

    /// Reads on until content is there: call again until it returns `nil`.
    func next(_ bytes: RawSpan, at position: inout Int, _ chunk: StreamChunk) -> TLSPlaintext? {
        let direction = directions[chunk.stream & 1]
        while !direction.replay.isEmpty {
            var replay: [UInt8] = []
            swap(&replay, &direction.replay)
            var start = 0
            let content = withBytes(of: replay) { advance($0, at: &start, chunk, direction) }
            direction.replay += replay[start...]
            if let content { return content }
        }
        let content = advance(bytes, at: &position, chunk, direction)
        // A false header behind a gap gives its bytes back.
        return content == nil && !direction.replay.isEmpty ? next(bytes, at: &position, chunk) : content
    }

    private func advance(
        _ bytes: RawSpan,
        at position: inout Int,
        _ chunk: StreamChunk,
        _ direction: TLSDirection
    ) -> TLSPlaintext? {
        while position < bytes.byteCount, direction.replay.isEmpty {
            switch direction.state {
            case .ended: position = bytes.byteCount
            case .passing(let rest):
                let count = min(rest, bytes.byteCount - position)
                position += count
                direction.lostBytes += count
                if count == rest { direction.loseRecord() } else { direction.state = .passing(rest - count) }
            case .unseen(var record):
                let count = min(record.rest, bytes.byteCount - position)
                position += count
                record.rest -= count
                direction.state = record.rest == 0 ? .records : .unseen(record)
                if record.rest == 0 { return passOver(record.count, nonce: record.nonce, chunk, direction) }
            case .searching:
                if let content = search(bytes, at: &position, chunk, direction) { return content }
            case .records:
                if let content = readRecord(bytes, at: &position, chunk, direction) { return content }
            }
        }
        return nil
    }

    /// Reads one record, or as much of it as is there.
    private func readRecord(
        _ bytes: RawSpan,
        at position: inout Int,
        _ chunk: StreamChunk,
        _ direction: TLSDirection
    ) -> TLSPlaintext? {
        if direction.record.isEmpty, bytes.byteCount - position >= RecordDecryptor.headerBytes {
            guard let length = direction.unitLength(bytes, at: position) else {
                direction.state = .searching
                return nil
            }
            if direction.passable > 0, let record = direction.unseenRecord(bytes, at: position, length: length) {
                direction.state = .unseen(record)
                return nil
            }
            if position + length <= bytes.byteCount {
                position += length
                return process(bytes.extracting((position - length)..<position), chunk, direction)
            }
            if bytes.byte(position) == ContentType.applicationData, !direction.mayOpen {
                // Nobody will read it: it need not be put together.
                noteOpaque(ContentType.applicationData, length, chunk, direction)
                direction.state = .passing(length - (bytes.byteCount - position))
                position = bytes.byteCount
                return nil
            }
        }
        let isWhole = collect(bytes, at: &position, direction)
        // The header was read, and is one.
        if direction.record.missing > 0, side(of: chunk.stream & 1) == .server {
            facts.hasServerRecords = true
        }
        return isWhole ? withCollectedRecord(direction) { process($0, chunk, direction) } : nil
    }

    /// Adds to the record that is being put together; `true` once it is whole.
    private func collect(_ bytes: RawSpan, at position: inout Int, _ direction: TLSDirection) -> Bool {
        if direction.record.missing == 0 {
            direction.record.appendHeader(bytes, at: &position)
            guard direction.record.count == RecordDecryptor.headerBytes else { return false }
            guard let length = withBytes(of: direction.record.bytes, { direction.unitLength($0, at: 0) }) else {
                // The next header may begin within these bytes.
                skipCandidate(direction)
                direction.state = .searching
                return false
            }
            direction.record.begin(length: length)
        }
        return direction.record.append(bytes, at: &position)
    }

    private func withCollectedRecord(
        _ direction: TLSDirection,
        _ body: (RawSpan) -> TLSPlaintext?
    ) -> TLSPlaintext? {
        var record = TLSDirection.PartialRecord()
        swap(&record, &direction.record)
        let content = withBytes(of: record.bytes) { body($0) }
        record.removeAll()
        direction.record = record
        return content
    }
}

// MARK: - Behind a gap

extension TLSSession {
    /// Looks for the next record's header behind a gap; what looks like one counts once its record opens.
    private func search(
        _ bytes: RawSpan,
        at position: inout Int,
        _ chunk: StreamChunk,
        _ direction: TLSDirection
    ) -> TLSPlaintext? {
        if direction.record.isEmpty {
            let start = candidate(bytes, from: position, direction)
            direction.lostBytes += start - position
            position = start
        }
        guard position < bytes.byteCount, collect(bytes, at: &position, direction) else { return nil }
        guard direction.isProtected, direction.decryptor != nil else {
            // In clear, or without keys, nothing proves a record: its looks must do.
            direction.state = .records
            return withCollectedRecord(direction) { process($0, chunk, direction) }
        }
        let content = withBytes(of: direction.record.bytes) { open($0, direction) }
        if let content {
            direction.state = .records
            direction.record.removeAll()
            return receive(content, chunk, direction)
        }
        direction.failedSearches += 1
        guard direction.failedSearches < TLSDirection.searchLimit else {
            direction.state = .ended
            direction.opaqueRecords += 1
            direction.record = TLSDirection.PartialRecord()
            return nil
        }
        skipCandidate(direction)
        return nil
    }

    /// Where a header may start at or behind `position`; the end where none may.
    private func candidate(_ bytes: RawSpan, from position: Int, _ direction: TLSDirection) -> Int {
        var start = position
        while start < bytes.byteCount {
            if start + RecordDecryptor.headerBytes > bytes.byteCount {
                // Too few bytes to tell; a record that is not protected is looked for at the start of packets alone.
                if direction.isProtected, (20...23).contains(bytes.byte(start)) { return start }
            } else if let length = TLSDirection.recordLength(bytes, at: start), length > RecordDecryptor.headerBytes {
                return start
            }
            if direction.decryptor == nil { return bytes.byteCount }
            start += 1
        }
        return start
    }

    /// The candidate was none: what follows its first byte is looked through again.
    private func skipCandidate(_ direction: TLSDirection) {
        direction.replay = Array(direction.record.bytes.dropFirst())
        direction.lostBytes += 1
        direction.record = TLSDirection.PartialRecord()
    }
}
