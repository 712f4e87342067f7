import AuthScanBytes

extension ChallengeMessage {
    static func readTargetInfo(
        _ bytes: ArraySlice<UInt8>,
        _ field: NTLMPayloadField?,
        _ reader: inout NTLMMessageReader
    ) -> [AVPair] {
        guard !bytes.isEmpty, let field else { return [] }
        let list = AVPairList(decoding: bytes, at: field.bufferOffset)
        for problem in list.problems { reader.note(problem) }
        if !list.trailing.isEmpty {
            let offset = field.bufferOffset + bytes.count - list.trailing.count
            reader.note(DecodeError(.trailingBytes(count: list.trailing.count), "TargetInfo", offset: offset))
        }
        return list.pairs
    }
}

extension NegotiateFlags {
    /// How names are encoded: UTF-16 wins where both bits are set, and `nil` where neither is.
    ///
    /// - Source: MS-NLMP 2.2.2.5, bits A and B.
    var stringEncoding: NTLMString.Encoding? {
        contains(.negotiateUnicode) ? .utf16LittleEndian : contains(.negotiateOEM) ? .oem : nil
    }
}
