/// What passes of one direction of a TLS connection by the headers of its records alone.
///
/// Most TLS of a capture cannot be decrypted. Once further application data can tell nothing, they are only counted here, beside
/// those of the other open connections, so that nothing else of the session need be looked at for them.
struct PassedRecords {
    /// Whether application data can tell nothing more.
    var isSettled = false
    /// How many records passed.
    var count: Int32 = 0
    /// How many of them did not lie in one packet, and how many bytes of them came in further ones.
    var lostRecords: Int32 = 0
    var lostBytes = 0

    /// Passes records of application data; stops in front of anything else, or where too little is there to tell.
    ///
    /// Returns how many bytes of the last one are to come.
    mutating func pass(_ bytes: RawSpan, at position: inout Int) -> Int {
        while bytes.byteCount - position >= RecordDecryptor.headerBytes,
            bytes.byte(position) == ContentType.applicationData,
            let length = TLSDirection.recordLength(bytes, at: position), length > PassedRecords.longestTelling
        {
            count &+= 1
            let rest = length - (bytes.byteCount - position)
            if rest > 0 {
                position = bytes.byteCount
                lostRecords &+= 1
                lostBytes += rest
                return rest
            }
            position += length
        }
        return 0
    }

    /// A record up to this long may be an alert or a Finished message in disguise (TLS 1.3).
    private static let longestTelling = 128
}

extension TLSSession {
    /// Whether further application data of a direction, of records that are not short, can tell nothing: they cannot be opened,
    /// and all that their coming and their lengths may tell is known.
    func isSettled(_ direction: Int) -> Bool {
        let own = directions[direction]
        guard !own.mayOpen, own.state == .records, own.record.isEmpty, own.replay.isEmpty else { return false }
        guard facts.hasServerRecords, facts.renegotiation == nil else { return false }
        return isTLS13
            ? own.opaqueLengths.count == TLSDirection.opaqueLengthLimit : facts.firstRequestPacket != nil
    }
}

extension TLSDirection {
    /// Takes over what passed, of which `rest` bytes are to come.
    func take(_ passed: PassedRecords, rest: Int) {
        guard passed.count > 0 else { return }
        possibleAlert = nil
        opaqueRecords += Int(passed.count)
        lostRecords += Int(passed.lostRecords)
        lostBytes += passed.lostBytes
        guard rest > 0 else { return }
        lostRecords -= 1
        lostBytes -= rest
        state = .passing(rest)
    }
}
