import AuthScanBytes

/// Decides for a whole message how its names are encoded, and reads them.
///
/// The flags say it. Some clients contradict their own flags, and then do so in every name alike: the names are looked
/// at together, because one short name in UTF-16 can look like ASCII (U+4E2D is the two letters `-N`).
struct NTLMStringDecoder {
    /// The encoding the flags, or the field's definition, call for; `nil` where nothing says it.
    private let expected: NTLMString.Encoding?
    private let actual: NTLMString.Encoding

    init(expected: NTLMString.Encoding?, names: [ArraySlice<UInt8>]) {
        self.expected = expected
        let names = names.filter { !$0.isEmpty }
        switch expected {
        case .utf16LittleEndian:
            actual = !names.isEmpty && names.allSatisfy(Self.looksLikeOEM) ? .oem : .utf16LittleEndian
        case .oem, .codePage850, .utf8:
            actual = !names.isEmpty && names.allSatisfy(Self.looksLikeUTF16) ? .utf16LittleEndian : .oem
        case nil: actual = names.contains(where: Self.looksLikeUTF16) ? .utf16LittleEndian : .oem
        }
    }

    /// Reads one name, and notes what is wrong with it.
    func decode(_ bytes: ArraySlice<UInt8>, of field: NTLMPayloadField, in reader: inout NTLMMessageReader)
        -> NTLMString
    {
        var text: String
        var encoding = actual
        if actual == .utf16LittleEndian {
            let units = Self.units(bytes)
            text = String(decoding: units, as: UTF16.self)
            if bytes.count % 2 != 0 {
                note("an odd count of bytes in UTF-16", field, &reader)
            } else if String(validating: units, as: UTF16.self) == nil {
                note("holds a lone surrogate", field, &reader)
            }
        } else {
            (text, encoding) = OEMText.decode(bytes)
        }
        let contradicts = expected != nil && expected != actual && !bytes.isEmpty
        if contradicts, let expected { note("\(actual.rawValue) where \(expected.rawValue) is due", field, &reader) }
        return NTLMString(text: text, encoding: encoding, contradictsFlags: contradicts, bytes: Array(bytes))
    }

    /// Reads a name that the message may lack; `nil` where it does.
    func decode(
        _ bytes: ArraySlice<UInt8>?,
        of field: NTLMPayloadField?,
        in reader: inout NTLMMessageReader
    ) -> NTLMString? {
        guard let bytes, let field else { return nil }
        return decode(bytes, of: field, in: &reader)
    }

    private func note(_ reason: String, _ field: NTLMPayloadField, _ reader: inout NTLMMessageReader) {
        reader.note(DecodeError(.invalidValue(reason), field.name, offset: field.bufferOffset))
    }

    /// Text of UTF-16, least significant byte first; a last byte without its partner is left out.
    static func utf16Text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: units(bytes), as: UTF16.self) }

    private static func units(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
        stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
            UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
        }
    }

    /// Whether bytes consist of what names are made of in ASCII, or cannot be UTF-16 for their odd count.
    private static func looksLikeOEM(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.allSatisfy({ $0 != 0 }) else { return false }
        return bytes.count % 2 != 0
            || bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "\\"),
                    UInt8(ascii: "$"), UInt8(ascii: " "):
                    true
                default: false
                }
            }
    }

    /// Whether every second byte is zero, and no other is.
    private static func looksLikeUTF16(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count % 2 == 0
            && zip(bytes, 0...).allSatisfy { byte, index in index.isMultiple(of: 2) ? byte != 0 : byte == 0 }
    }
}

/// The code page that stands in for the OEM code page a message does not name.
enum Windows1252 {
    /// The characters of 0x80 to 0x9F; the five unused places keep their C1 control, as in the WHATWG's index.
    private static let middle: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
        "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
        "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
        "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]

    static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? middle[Int(byte - 0x80)] : Unicode.Scalar(byte)
    }
}
