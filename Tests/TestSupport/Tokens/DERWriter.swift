/// Writes the few kinds of ASN.1 value that SPNEGO and Kerberos are made of.
///
/// - Source: ITU-T X.690 §8, §10.
enum DERWriter {
    /// A value with its identifier octet and the shortest form of its length.
    static func value(tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        if count < 0x80 { return [tag, UInt8(count)] + contents }
        let length = withShortestBytes(count)
        return [tag, 0x80 | UInt8(length.count)] + length + contents
    }

    /// SEQUENCE, and SEQUENCE OF.
    static func sequence(_ elements: [[UInt8]]) -> [UInt8] { value(tag: 0x30, elements.flatMap { $0 }) }

    /// `[number]`, EXPLICIT.
    static func tagged(_ number: UInt8, _ contents: [UInt8]) -> [UInt8] { value(tag: 0xA0 | number, contents) }

    /// `[APPLICATION number]`, constructed.
    static func application(_ number: UInt8, _ contents: [UInt8]) -> [UInt8] { value(tag: 0x60 | number, contents) }

    /// INTEGER; not negative.
    static func integer(_ number: Int) -> [UInt8] {
        let bytes = withShortestBytes(number)
        return value(tag: 0x02, (bytes.first ?? 0) >= 0x80 ? [0] + bytes : bytes)
    }

    /// ENUMERATED, one octet.
    static func enumerated(_ number: UInt8) -> [UInt8] { value(tag: 0x0A, [number]) }

    /// OCTET STRING.
    static func octetString(_ bytes: [UInt8]) -> [UInt8] { value(tag: 0x04, bytes) }

    /// BIT STRING of 32 bits, as KerberosFlags has it.
    static func bitString(_ bits: UInt32) -> [UInt8] {
        var contents: [UInt8] = [0]
        contents.appendBigEndian(bits)
        return value(tag: 0x03, contents)
    }

    /// GeneralString, as KerberosString and Realm have it.
    static func generalString(_ text: String) -> [UInt8] { value(tag: 0x1B, Array(text.utf8)) }

    /// GeneralizedTime from its text.
    static func generalizedTime(_ text: String) -> [UInt8] { value(tag: 0x18, Array(text.utf8)) }

    /// OBJECT IDENTIFIER from its arcs.
    static func objectIdentifier(_ arcs: [Int]) -> [UInt8] {
        let subidentifiers = [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)
        return value(tag: 0x06, subidentifiers.flatMap(base128))
    }

    private static func base128(_ number: Int) -> [UInt8] {
        var groups = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            groups.append(0x80 | UInt8(rest & 0x7F))
            rest >>= 7
        }
        return groups.reversed()
    }

    private static func withShortestBytes(_ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(UInt64(number))
        let significant = bytes.drop { $0 == 0 }
        return significant.isEmpty ? [0] : Array(significant)
    }
}
