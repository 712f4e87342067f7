public import AuthScanBytes

/// A token that protects one message of an established context: SPNEGO's mechListMIC is one.
///
///     RFC 4121  0 TOK_ID (2)   2 Flags   3 Filler   4 EC (2)   6 RRC (2)   8 SND_SEQ (8)   16 checksum or ciphertext
///     RFC 1964  0 TOK_ID (2)   2 SGN_ALG (2)   4 SEAL_ALG (2)   6 Filler (2)   8 SND_SEQ (8)   16 SGN_CKSUM (8)
///     NTLMSSP   0 Version (4), 1   4 Checksum (8)   12 SeqNum (4)
///
/// - Source: RFC 4121 §4.2.6; RFC 1964 §1.2; MS-NLMP 2.2.2.9.
public struct PerMessageToken: Hashable, Sendable {
    /// Whose token it is.
    public enum Form: String, Hashable, Sendable {
        /// A signature by Kerberos: TOK_ID 04 04.
        case mic = "GSS-API MIC"
        /// A protected message by Kerberos: TOK_ID 05 04.
        case wrap = "GSS-API Wrap"
        /// A signature in Kerberos' older form: TOK_ID 01 01.
        case oldMIC = "GSS-API MIC (RFC 1964)"
        /// A protected message in Kerberos' older form: TOK_ID 02 01.
        case oldWrap = "GSS-API Wrap (RFC 1964)"
        /// A signature by NTLM.
        case ntlm = "NTLMSSP_MESSAGE_SIGNATURE"
    }

    /// Whose token it is.
    public let form: Form
    /// The flags of RFC 4121: 1 from the acceptor, 2 sealed, 4 under the acceptor's subkey; `nil` for other forms.
    public let flags: UInt8?
    /// The checksum's algorithm in RFC 1964's form, `nil` for other forms.
    public let signatureAlgorithm: UInt16?
    /// The cipher's algorithm in RFC 1964's form; `nil` for other forms.
    public let sealAlgorithm: UInt16?
    /// The extra count of a Wrap token of RFC 4121; `nil` for other forms.
    public let extraCount: Int?
    /// The right rotation count of a Wrap token of RFC 4121; `nil` for other forms.
    public let rightRotationCount: Int?
    /// The sequence number; in RFC 1964's form it is encrypted, and `nil`.
    public let sequenceNumber: UInt64?
    /// The checksum, or all that follows the header of a Wrap token.
    public let body: Secret<[UInt8]>

    /// The names of the flags that are set; empty for forms without flags.
    public var flagNames: [String] {
        let names: [(UInt8, String)] = [(1, "SentByAcceptor"), (2, "Sealed"), (4, "AcceptorSubkey")]
        return names.filter { (flags ?? 0) & $0.0 != 0 }.map(\.1)
    }

    /// Decodes a token by its first bytes; `nil` where they are those of another.
    public init?(decoding bytes: ArraySlice<UInt8>) {
        // A token that is cut in its header is none of these: the caller keeps its bytes.
        guard let token = try? Self.read(bytes) else { return nil }
        self = token
    }

    private init(
        _ form: Form,
        flags: UInt8? = nil,
        algorithms: (UInt16, UInt16?)? = nil,
        counts: (Int, Int)? = nil,
        sequenceNumber: UInt64? = nil,
        body: ArraySlice<UInt8>
    ) {
        self.form = form
        self.flags = flags
        signatureAlgorithm = algorithms?.0
        sealAlgorithm = algorithms?.1
        extraCount = counts?.0
        rightRotationCount = counts?.1
        self.sequenceNumber = sequenceNumber
        self.body = Secret(Array(body))
    }

    private static func read(_ bytes: ArraySlice<UInt8>) throws(DecodeError) -> Self? {
        var cursor = ByteCursor(bytes)
        switch try cursor.readBigEndian(UInt16.self, as: "TOK_ID") {
        case 0x0404: return try readRFC4121(.mic, &cursor)
        case 0x0504: return try readRFC4121(.wrap, &cursor)
        case 0x0101: return try readRFC1964(.oldMIC, &cursor)
        case 0x0201: return try readRFC1964(.oldWrap, &cursor)
        // NTLM's version field is the number 1 in four bytes, least significant first.
        case 0x0100 where bytes.count == 16:
            guard try cursor.readBigEndian(UInt16.self, as: "Version") == 0 else { return nil }
            let checksum = try cursor.take(8, as: "Checksum")
            let number = try cursor.readLittleEndian(UInt32.self, as: "SeqNum")
            return Self(.ntlm, sequenceNumber: UInt64(number), body: checksum)
        default: return nil
        }
    }

    private static func readRFC4121(_ form: Form, _ cursor: inout ByteCursor) throws(DecodeError) -> Self {
        let flags = try cursor.readBigEndian(UInt8.self, as: "Flags")
        _ = try cursor.take(1, as: "Filler")
        let extra = Int(try cursor.readBigEndian(UInt16.self, as: "EC"))
        let rotation = Int(try cursor.readBigEndian(UInt16.self, as: "RRC"))
        let number = try cursor.readBigEndian(UInt64.self, as: "SND_SEQ")
        let body = try cursor.take(cursor.remaining, as: "token")
        let counts = form == .wrap ? (extra, rotation) : nil
        return Self(form, flags: flags, counts: counts, sequenceNumber: number, body: body)
    }

    private static func readRFC1964(_ form: Form, _ cursor: inout ByteCursor) throws(DecodeError) -> Self {
        let signature = try cursor.readLittleEndian(UInt16.self, as: "SGN_ALG")
        let seal = try cursor.readLittleEndian(UInt16.self, as: "SEAL_ALG")
        _ = try cursor.take(2, as: "Filler")
        let body = try cursor.take(cursor.remaining, as: "token")
        return Self(form, algorithms: (signature, form == .oldWrap ? seal : nil), body: body)
    }
}
