import AuthScanBytes

/// Reads the parts that the three NTLM messages have in common, and gathers what is wrong with them.
struct NTLMMessageReader {
    /// The eight bytes that every message starts with.
    static let signature = Array("NTLMSSP\0".utf8)

    let message: ArraySlice<UInt8>
    var cursor: ByteCursor
    private(set) var fields: [NTLMPayloadField] = []
    private(set) var problems: [DecodeError] = []
    private(set) var remarks: [DecodeError] = []

    init(_ message: ArraySlice<UInt8>) {
        self.message = message
        cursor = ByteCursor(message)
    }

    /// Reads signature and type.
    ///
    /// - Source: MS-NLMP 2.2.1: "Signature (8 bytes): … MUST contain the ASCII string ('N', 'T', 'L', 'M', …)".
    mutating func readMessageType() throws(DecodeError) -> UInt32 {
        guard try cursor.take(8, as: "Signature").elementsEqual(Self.signature) else {
            throw DecodeError(.invalidValue("not NTLMSSP"), "Signature", offset: 0)
        }
        return try cursor.readLittleEndian(UInt32.self, as: "MessageType")
    }

    mutating func readFlags() throws(DecodeError) -> NegotiateFlags {
        NegotiateFlags(rawValue: try cursor.readLittleEndian(UInt32.self, as: "NegotiateFlags"))
    }

    /// Reads the flags; `nil`, with a problem noted, where they are cut.
    mutating func readFlagsIfPresent() -> NegotiateFlags? {
        do throws(DecodeError) {
            return try readFlags()
        } catch {
            note(error)
            return nil
        }
    }

    /// Reads a field's header; `nil`, with a problem noted, where the message ends before it does.
    ///
    /// A message cut by the capture is still worth what stands before the cut.
    mutating func readField(_ name: String) -> NTLMPayloadField? {
        do throws(DecodeError) {
            let field = try NTLMPayloadField(reading: &cursor, as: name)
            // For all that the longest message has.
            if fields.isEmpty { fields.reserveCapacity(6) }
            fields.append(field)
            return field
        } catch {
            note(error)
            return nil
        }
    }

    /// Reads the eight bytes behind the server's challenge; `nil`, with a problem noted, where they are cut.
    mutating func readReserved() -> [UInt8]? {
        do throws(DecodeError) {
            return Array(try cursor.take(8, as: "Reserved"))
        } catch {
            note(error)
            return nil
        }
    }

    mutating func note(_ error: DecodeError) { if problems.count < 64 { problems.append(error) } }

    mutating func remark(_ error: DecodeError) { if remarks.count < 64 { remarks.append(error) } }

    /// Where the fixed part must end at the latest: at the first field with contents, or at the end of the message.
    ///
    /// Older messages have a shorter fixed part, and nothing but the payload's start tells which form it is.
    var payloadStart: Int {
        min(message.count, fields.lazy.filter { $0.length > 0 }.map(\.bufferOffset).min() ?? message.count)
    }

    /// The field's contents; `nil`, with a problem noted, where they lie outside the message.
    mutating func contents(of field: NTLMPayloadField?) -> ArraySlice<UInt8>? {
        guard let field else { return nil }
        // Receivers read no bytes of an empty field, so that its offset does not matter.
        guard field.length > 0 else { return [] }
        do throws(DecodeError) {
            return try field.contents(in: message)
        } catch {
            note(error)
            return nil
        }
    }

    /// The Version block at the cursor, if the fixed part has room for one.
    ///
    /// The flag alone does not tell: curl sets it and sends no block, others send eight zero bytes without it.
    mutating func readVersion(_ flags: NegotiateFlags, payloadStart: Int) -> NTLMVersion? {
        let offset = cursor.offset
        let isFlagged = flags.contains(.negotiateVersion)
        guard payloadStart >= offset + 8, let version = try? NTLMVersion(reading: &cursor) else {
            // The length was checked above: the reason of `try?` cannot be another one.
            if isFlagged {
                remark(
                    DecodeError(
                        .truncated(needed: 8, available: max(0, payloadStart - offset)),
                        "Version",
                        offset: offset
                    )
                )
            }
            return nil
        }
        if !isFlagged {
            guard !version.isZero else { return nil }
            let reason = "present although NTLMSSP_NEGOTIATE_VERSION is clear"
            remark(DecodeError(.invalidValue(reason), "Version", offset: offset))
        }
        return version
    }

    /// Looks for fields inside the fixed part, overlapping fields, and bytes that belong to no field.
    mutating func checkLayout(fixedPart: Int) {
        var end = fixedPart
        for field in fields.sorted(by: { $0.bufferOffset < $1.bufferOffset })
        where field.length > 0 && field.bufferOffset <= message.count {
            if field.bufferOffset < fixedPart {
                note(DecodeError(.invalidValue("lies inside the fixed part"), field.name, offset: field.bufferOffset))
            } else if field.bufferOffset < end {
                note(DecodeError(.invalidValue("overlaps another field"), field.name, offset: field.bufferOffset))
            } else if field.bufferOffset > end + 3 {
                // Up to three bytes align a field.
                let reason = "\(field.bufferOffset - end) bytes before it belong to no field"
                remark(DecodeError(.invalidValue(reason), field.name, offset: end))
            }
            end = max(end, field.bufferOffset + field.length)
        }
        if end < message.count {
            remark(DecodeError(.trailingBytes(count: message.count - end), "Payload", offset: end))
        }
        for field in fields where field.length == 0 && field.bufferOffset > message.count {
            remark(
                DecodeError(
                    .invalidValue("empty, with an offset outside the message"),
                    field.name,
                    offset: field.headerOffset
                )
            )
        }
    }
}

extension NTLMPayloadField {
    init(reading cursor: inout ByteCursor, as field: String) throws(DecodeError) {
        name = field
        headerOffset = cursor.offset
        // The names of the parts are put together only where one of them is cut.
        if cursor.remaining < 8 {
            for (part, size) in [("Len", 2), ("MaxLen", 2), ("BufferOffset", 4)] {
                _ = try cursor.take(size, as: "\(field).\(part)")
            }
        }
        let header = try cursor.readLittleEndian(UInt64.self, as: field)
        length = Int(header & 0xFFFF)
        maxLength = Int(header >> 16 & 0xFFFF)
        bufferOffset = Int(header >> 32)
    }

    func contents(in message: ArraySlice<UInt8>) throws(DecodeError) -> ArraySlice<UInt8> {
        guard bufferOffset <= message.count else {
            let problem = DecodeError.Problem.truncated(needed: bufferOffset, available: message.count)
            throw DecodeError(problem, "\(name).BufferOffset", offset: 0)
        }
        let available = message.count - bufferOffset
        guard length <= available else {
            throw DecodeError(.truncated(needed: length, available: available), name, offset: bufferOffset)
        }
        return message.dropFirst(bufferOffset).prefix(length)
    }
}

extension NTLMVersion {
    init(reading cursor: inout ByteCursor) throws(DecodeError) {
        major = try cursor.readLittleEndian(UInt8.self, as: "ProductMajorVersion")
        minor = try cursor.readLittleEndian(UInt8.self, as: "ProductMinorVersion")
        build = try cursor.readLittleEndian(UInt16.self, as: "ProductBuild")
        reserved = Array(try cursor.take(3, as: "Reserved"))
        revision = try cursor.readLittleEndian(UInt8.self, as: "NTLMRevisionCurrent")
    }

    /// Whether all eight bytes are zero, as where a sender left the block empty.
    fileprivate var isZero: Bool {
        major == 0 && minor == 0 && build == 0 && revision == 0 && reserved.allSatisfy { $0 == 0 }
    }
}
