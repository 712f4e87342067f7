import AuthScanBytes

extension NegotiateMessage {
    static func check(_ isSupplied: Bool, _ field: NTLMPayloadField?, _ reader: inout NTLMMessageReader) {
        guard let field, isSupplied != (field.length > 0) else { return }
        let error = DecodeError(
            .invalidValue(isSupplied ? "empty although its flag is set" : "present although its flag is clear"),
            field.name,
            offset: field.headerOffset
        )
        // MS-NLMP 2.2.1.1: without the flag the field "SHOULD" be empty, and is ignored on receipt.
        if isSupplied { reader.note(error) } else { reader.remark(error) }
    }
}
