import AuthScanNativeCodecs

// MARK: - Stream ciphers

extension RecordDecryptor {
    /// A stream cipher's state: it goes on from record to record, so that lost bytes must be counted exactly.
    struct Stream {
        var keystream: RC4Keystream
        /// What was generated of it and not used up.
        var ahead: [UInt8] = []
        /// The number of the record that it stands before.
        var sequence: UInt64 = 0

        /// How many lost bytes are passed over at most.
        static let reach = 1 << 24
    }

    /// Opens a record of RC4: what was lost before it, less the headers, has used up its part of the stream.
    ///
    /// - Source: RFC 5246 §6.2.3.1 and §6.3; RFC 6101 §5.2.3.1.
    func openStream(_ record: RawSpan, _ number: UInt64, _ output: inout [UInt8]) -> (type: UInt8, count: Int)? {
        guard var stream else { return nil }
        self.stream = nil
        defer { self.stream = stream }
        let count = record.byteCount - RecordDecryptor.headerBytes
        let skip = lostBytes - RecordDecryptor.headerBytes * Int(number &- stream.sequence)
        guard count >= macBytes, (0...Stream.reach).contains(skip) else { return nil }
        let missing = skip + count - stream.ahead.count
        if missing > 0 { stream.ahead += stream.keystream.next(missing) }
        for index in 0..<count {
            output[index] = record.byte(RecordDecryptor.headerBytes + index) ^ stream.ahead[skip + index]
        }
        let content = output[..<(count - macBytes)]
        guard mac(record, number, content) == output[content.endIndex..<count] else { return nil }
        stream.ahead.removeFirst(skip + count)
        stream.sequence = number &+ 1
        return (record.byte(0), content.count)
    }
}

// MARK: - The hash of SSL 3.0

extension RecordDecryptor {
    /// The keyed hash of SSL 3.0, which came before HMAC and leaves the version out.
    ///
    ///     hash(MAC_write_secret + pad_2 + hash(MAC_write_secret + pad_1 + seq_num + type + length + content))
    ///
    /// - Source: RFC 6101 §5.2.3.1.
    func oldMAC(_ content: ArraySlice<UInt8>) -> [UInt8] {
        let padding = macHash == .md5 ? 48 : 40
        let numbered = additionalData[..<9] + additionalData[11...]
        let inner = macKey + [UInt8](repeating: 0x36, count: padding) + numbered + content
        let outer = macKey + [UInt8](repeating: 0x5C, count: padding) + macHash.digest(of: inner)
        return macHash.digest(of: outer)
    }
}
