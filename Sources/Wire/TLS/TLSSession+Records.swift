import AuthScanNativeCodecs

/// The content types of records.
///
/// - Source: RFC 8446 §5.1.
enum ContentType {
    static let changeCipherSpec: UInt8 = 20
    static let alert: UInt8 = 21
    static let handshake: UInt8 = 22
    static let applicationData: UInt8 = 23
}

extension TLSSession {
    /// Reads a whole record, header included; returns its content where that is application data.
    func process(_ record: RawSpan, _ chunk: StreamChunk, _ direction: TLSDirection) -> TLSPlaintext? {
        direction.possibleAlert = nil
        if side(of: chunk.stream & 1) == .server { facts.hasServerRecords = true }
        let type = record.byte(0)
        if type & 0x80 != 0 {
            receiveOldHello(record, chunk)
            return nil
        }
        if isInClear(record, direction) {
            let body = record.extracting(RecordDecryptor.headerBytes..<record.byteCount)
            receiveClear(type, body, chunk, direction)
            if type != ContentType.applicationData { return nil }
        } else if ignoresChangeCipherSpec, type == ContentType.changeCipherSpec {
            return nil
        }
        guard type == ContentType.applicationData || direction.isProtected else { return nil }
        if type == ContentType.applicationData { noteContent(chunk) }
        if direction.passable > 0, let count = direction.unseenContent(record) {
            return passOver(count, nonce: nil, chunk, direction)
        }
        let isProven = direction.decryptor?.isProven ?? false
        guard let content = open(record, direction) else {
            noteOpaque(type, record.byteCount, chunk, direction)
            if isProven { direction.noteDamaged(record.byteCount) }
            return nil
        }
        return receive(content, chunk, direction)
    }

    /// Content came: the client's first one is its request.
    private func noteContent(_ chunk: StreamChunk) {
        guard facts.firstRequestPacket == nil || facts.renegotiation != nil, !isTLS13 else { return }
        if side(of: chunk.stream & 1) == .server {
            facts.renegotiation?.isFollowedByContent = true
        } else if facts.firstRequestPacket == nil {
            facts.firstRequestPacket = chunk.packet
        }
    }

    /// Counts a record that holds only content that nobody looks at.
    func passOver(
        _ count: Int,
        nonce: UInt64?,
        _ chunk: StreamChunk,
        _ direction: TLSDirection
    ) -> TLSPlaintext {
        noteContent(chunk)
        direction.decryptor?.passOver(nonce: nonce)
        direction.openedRecords += 1
        return TLSPlaintext(count: count, isUnseen: true)
    }

    /// Whether a record is not protected.
    private func isInClear(_ record: RawSpan, _ direction: TLSDirection) -> Bool {
        guard direction.isProtected else { return true }
        // A client that refuses the ServerHello of TLS 1.3 has no keys yet to say so with.
        return isTLS13 && record.byte(0) == ContentType.alert && record.byteCount == RecordDecryptor.headerBytes + 2
    }

    private func receiveClear(_ type: UInt8, _ body: RawSpan, _ chunk: StreamChunk, _ direction: TLSDirection) {
        switch type {
        case ContentType.handshake: receiveHandshake(body, chunk, direction)
        case ContentType.changeCipherSpec: if !ignoresChangeCipherSpec { changeCipherSpec(chunk, direction) }
        case ContentType.alert: receiveAlert(body, chunk, direction)
        default: break
        }
    }

    /// What a record that opened says.
    func receive(
        _ opened: (type: UInt8, count: Int, lost: Int),
        _ chunk: StreamChunk,
        _ direction: TLSDirection
    ) -> TLSPlaintext? {
        if direction.handshakes == 0, direction.current?.level == .application {
            // Finished itself could not be read, or was lost; what opens now proves as much.
            noteFinished(direction, chunk)
        }
        let lost = lostContent(direction, records: opened.lost)
        let buffer = material.takePlaintext()
        defer { material.giveBack(buffer) }
        switch opened.type {
        case ContentType.applicationData: return TLSPlaintext(lost: lost, count: opened.count)
        case ContentType.handshake:
            withBytes(of: buffer) { receiveHandshake($0.extracting(0..<opened.count), chunk, direction) }
        case ContentType.alert:
            withBytes(of: buffer) { receiveAlert($0.extracting(0..<opened.count), chunk, direction) }
        case ContentType.changeCipherSpec: changeCipherSpec(chunk, direction)
        default: break
        }
        return nil
    }

    /// How many bytes of content were lost since the last record: all that was lost, less what records add.
    private func lostContent(_ direction: TLSDirection, records: Int) -> Int {
        defer {
            direction.lostBytes = 0
            direction.lostRecords = 0
        }
        guard direction.lostBytes > 0, let overhead = direction.decryptor?.overhead else { return 0 }
        return max(0, direction.lostBytes - (direction.lostRecords + records) * overhead)
    }

    private func receiveAlert(_ body: RawSpan, _ chunk: StreamChunk, _ direction: TLSDirection) {
        guard body.byteCount >= 2 else { return }
        if body.byte(1) == AlertDescription.noCertificate.rawValue, side(of: chunk.stream & 1) == .client {
            // RFC 6101 §5.6.6: how SSL 3.0 says that there is none.
            facts.clientCertificate = TLSConnection.ClientCertificate.none
            facts.clientCertificatePacket = chunk.packet
        }
        note(
            TLSAlert(
                from: side(of: chunk.stream & 1),
                isFatal: body.byte(0) == 2,
                description: AlertDescription(rawValue: body.byte(1)),
                packet: chunk.packet,
                time: chunk.time,
                isDuringHandshake: !direction.isFinished
            )
        )
    }

    func note(_ alert: TLSAlert) {
        if facts.alerts.count < TLSSession.alertLimit { facts.alerts.append(alert) }
    }
}

// MARK: - Opening

extension TLSSession {
    /// Opens a record with the keys in use, or with later ones; `nil` where none fit.
    func open(_ record: RawSpan, _ direction: TLSDirection) -> (type: UInt8, count: Int, lost: Int)? {
        guard direction.mayOpen else { return nil }
        var buffer = material.takePlaintext()
        defer { material.giveBack(buffer) }
        direction.decryptor?.lostBytes = direction.lostBytes
        if let opened = direction.decryptor?.open(record, into: &buffer) {
            direction.openedRecords += 1
            return opened
        }
        return openWithLaterKeys(record, direction, &buffer)
    }

    /// Tries the keys that follow: the message that says so may be missing, or have been protected with a secret that is not known.
    private func openWithLaterKeys(
        _ record: RawSpan,
        _ direction: TLSDirection,
        _ buffer: inout [UInt8]
    ) -> (type: UInt8, count: Int, lost: Int)? {
        guard direction.trials < TLSSession.trialLimit, let suite = serverHello?.cipherSuite else { return nil }
        direction.trials += 1
        for (index, epoch) in direction.epochs.enumerated() {
            guard let decryptor = RecordDecryptor(trafficSecret: epoch.secret, suite: suite) else { continue }
            if direction.lostBytes > 0 {
                decryptor.noteLoss(upTo: direction.lostBytes / decryptor.overhead + 1)
            }
            guard let opened = decryptor.open(record, into: &buffer) else { continue }
            direction.decryptor = decryptor
            direction.current = epoch
            direction.epochs.removeFirst(index + 1)
            if epoch.level == .application {
                direction.isFinished = true
                // What could not be opened before was the handshake.
                direction.opaqueRecords = 0
            }
            direction.openedRecords += 1
            return opened
        }
        return nil
    }

    /// On how many records of a direction later keys are tried.
    private static let trialLimit = 64
}

// MARK: - What lengths and places tell

extension TLSSession {
    /// Notes a record that could not be opened; its length includes the header.
    func noteOpaque(_ type: UInt8, _ length: Int, _ chunk: StreamChunk, _ direction: TLSDirection) {
        direction.possibleAlert = nil
        direction.opaqueRecords += 1
        if isTLS13 {
            noteOpaque13(length - RecordDecryptor.headerBytes, chunk, direction)
        } else if type == ContentType.alert {
            noteUnreadAlert(chunk.packet, chunk.time, side(of: chunk.stream & 1), !direction.isFinished)
        } else if type == ContentType.changeCipherSpec {
            // Of another handshake: Finished follows, and is as unreadable.
            direction.isFinished = false
        } else if type == ContentType.handshake {
            if direction.isFinished {
                noteRenegotiation(chunk)
            } else if direction.isProtected {
                // The first handshake message behind ChangeCipherSpec is Finished.
                noteFinished(direction, chunk)
            }
        }
    }

    /// TLS 1.3 hides the type: an alert is told by its length where nothing else is as short.
    private func noteOpaque13(_ length: Int, _ chunk: StreamChunk, _ direction: TLSDirection) {
        if direction.opaqueLengths.count < TLSDirection.opaqueLengthLimit { direction.opaqueLengths.append(length) }
        let isClient = side(of: chunk.stream & 1) == .client
        guard length == alertLength else {
            if isClient, !direction.isFinished, isFinishedLength(length) {
                noteUnreadClientFlight(direction)
                noteFinished(direction, chunk)
            }
            return
        }
        if isClient, direction.opaqueRecords == 1 {
            // In the place of Finished: the client will not have what the server sent.
            noteUnreadAlert(chunk.packet, chunk.time, .client, true)
        } else {
            direction.possibleAlert = (chunk.packet, chunk.time)
        }
    }

    func noteUnreadAlert(_ packet: Int, _ time: Timestamp, _ from: Side, _ isDuringHandshake: Bool) {
        note(
            TLSAlert(
                from: from,
                isFatal: nil,
                description: nil,
                packet: packet,
                time: time,
                isDuringHandshake: isDuringHandshake
            )
        )
    }

    private var tagBytes: Int {
        if case .aead(let algorithm)? = facts.cipherSuite?.protection { return algorithm.tagBytes }
        return 16
    }

    /// The length of a protected alert: level, description, content type, tag.
    private var alertLength: Int { 3 + tagBytes }

    /// The length of a protected Finished message, alone or behind an empty Certificate message.
    private func isFinishedLength(_ length: Int) -> Bool {
        guard let hash = facts.cipherSuite?.scheduleHash else { return false }
        let finished = 4 + hash.byteCount + 1 + tagBytes
        return length == finished || length == finished + TLSSession.emptyCertificateBytes
    }

    /// A Certificate message without certificates: header(4), context length(1), list length(3).
    ///
    /// - Source: RFC 8446 §4.4.2.
    private static let emptyCertificateBytes = 8

    /// What the lengths of the client's records up to Finished tell of its certificate.
    private func noteUnreadClientFlight(_ direction: TLSDirection) {
        guard let hash = facts.cipherSuite?.scheduleHash, facts.clientCertificate == nil else { return }
        let finished = 4 + hash.byteCount + 1 + tagBytes
        let empty = TLSSession.emptyCertificateBytes
        switch direction.opaqueLengths {
        case [finished]: facts.clientCertificate = .notRequested
        case [finished + empty], [empty + 1 + tagBytes, finished]: facts.clientCertificate = ClientCertificate.none
        default: break
        }
    }

    private typealias ClientCertificate = TLSConnection.ClientCertificate
}
