/// Reads a name in a code page that the message does not name, by its octets.
///
/// - Source: MS-NLMP 2.2 (the OEM character set is the client's own); RFC 3629 (what is valid UTF-8).
enum OEMText {
    /// The text, and how it was read.
    static func decode(_ bytes: ArraySlice<UInt8>) -> (text: String, encoding: NTLMString.Encoding) {
        // Octets of a code page hardly ever form valid UTF-8 by chance.
        if bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) {
            return (text, .utf8)
        }
        if bytes.contains(where: unused.contains) {
            return (String(String.UnicodeScalarView(bytes.map(codePage850))), .codePage850)
        }
        return (String(String.UnicodeScalarView(bytes.map(Windows1252.scalar))), .oem)
    }

    /// Octets to which Windows-1252 gives no character.
    private static let unused: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]

    private static func codePage850(_ byte: UInt8) -> Unicode.Scalar {
        byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80]
    }

    /// Code page 850 from 0x80 on.
    private static let upperHalf = Array(
        ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀"
            + "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}").unicodeScalars
    )
}
