import AuthScanBytes

extension ChallengeMessage {
    /// Reads what follows the message type.
    init(reading reader: inout NTLMMessageReader) throws(DecodeError) {
        let nameField = reader.readField("TargetName")
        flags = try reader.readFlags()
        serverChallenge = Array(try reader.cursor.take(8, as: "ServerChallenge"))
        reserved = reader.payloadStart > 32 ? reader.readReserved() : nil
        let infoField = reserved != nil && reader.payloadStart > 40 ? reader.readField("TargetInfo") : nil
        let start = reader.payloadStart
        version = infoField != nil ? reader.readVersion(flags, payloadStart: start) : nil
        let name = reader.contents(of: nameField)
        let decoder = NTLMStringDecoder(expected: flags.stringEncoding, names: [name].compactMap { $0 })
        targetNameField = decoder.decode(name, of: nameField, in: &reader)
        let info = reader.contents(of: infoField) ?? []
        hasTargetInfo = !info.isEmpty
        targetInfo = Self.readTargetInfo(info, infoField, &reader)
        if flags.contains(.negotiateTargetInfo), infoField?.length ?? 0 == 0 {
            let reason = "missing although NTLMSSP_NEGOTIATE_TARGET_INFO is set"
            reader.note(DecodeError(.invalidValue(reason), "TargetInfo", offset: min(40, reader.message.count)))
        }
        reader.checkLayout(fixedPart: reader.cursor.offset)
        fields = reader.fields
        problems = reader.problems
        remarks = reader.remarks
        encoded = Secret(Array(reader.message))
    }

    private static func readTargetInfo(
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
