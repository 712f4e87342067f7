import AuthScanBytes

extension NegotiateMessage {
    /// Reads what follows the message type.
    init(reading reader: inout NTLMMessageReader) throws(DecodeError) {
        flags = try reader.readFlags()
        // The sixteen-byte form ends here.
        let hasFields = reader.cursor.remaining > 0
        let domainField = hasFields ? reader.readField("DomainName") : nil
        let workstationField = hasFields ? reader.readField("Workstation") : nil
        let start = reader.payloadStart
        version = workstationField != nil ? reader.readVersion(flags, payloadStart: start) : nil
        let domain = reader.contents(of: domainField)
        let workstation = reader.contents(of: workstationField)
        // MS-NLMP 2.2.1.1: both names "MUST be encoded using the OEM character set".
        let decoder = NTLMStringDecoder(expected: .oem, names: [domain, workstation].compactMap { $0 })
        domainName = decoder.decode(domain, of: domainField, in: &reader)
        workstationName = decoder.decode(workstation, of: workstationField, in: &reader)
        Self.check(flags.contains(.negotiateOEMDomainSupplied), domainField, &reader)
        Self.check(flags.contains(.negotiateOEMWorkstationSupplied), workstationField, &reader)
        reader.checkLayout(fixedPart: reader.cursor.offset)
        fields = reader.fields
        problems = reader.problems
        remarks = reader.remarks
        encoded = Secret(Array(reader.message))
    }

    private static func check(_ isSupplied: Bool, _ field: NTLMPayloadField?, _ reader: inout NTLMMessageReader) {
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
