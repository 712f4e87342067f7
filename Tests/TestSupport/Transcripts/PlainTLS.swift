/// TLS whose records are authenticated and not encrypted: `TLS_RSA_WITH_NULL_SHA256` in TLS 1.2, `TLS_SHA256_SHA256` in TLS 1.3.
///
/// Everything is in the capture for all to read, so that no keys are needed. The server shows `certificate`, and so does the
/// client where it is asked; what only the keys could prove (the authentication codes, the Finished messages, the signatures)
/// are made-up bytes.
///
/// - Source: RFC 5246 §6.2, §7.4; RFC 8446 §4, §5.2; RFC 9150.
struct PlainTLS {
    /// What the connection is like.
    struct Options: Hashable, Sendable {
        var isTLS13 = false
        /// Whether the server asks for the client's certificate, and gets it.
        var hasClientCertificate = false
        /// Whether the client can be asked after the handshake.
        var offersPostHandshakeAuthentication = false
    }

    /// The content types of records.
    enum ContentType {
        static let changeCipherSpec: UInt8 = 20
        static let alert: UInt8 = 21
        static let handshake: UInt8 = 22
        static let applicationData: UInt8 = 23
    }

    typealias Flight = (side: Transcript.Side, bytes: [UInt8])

    private static let longestContent = 1 << 14
    private static let version: [UInt8] = [3, 3]

    private let options: Options
    private var generator: SeededGenerator
    /// Whether a handshake is over, and records have their authentication code.
    private var isProtected = false

    /// The connection with this number.
    init(number: Int, _ options: Options) {
        generator = SeededGenerator(from: "tls \(number)")
        self.options = options
    }

    private var suite: [UInt8] { options.isTLS13 ? [0xC0, 0xB4] : [0x00, 0x3B] }

    /// The flights of the handshake, in order.
    mutating func handshake() -> [Flight] {
        defer { isProtected = true }
        return options.isTLS13 ? handshake13() : handshake12(asksForCertificate: options.hasClientCertificate)
    }

    /// Another handshake on the connection, in which the server asks for the client's certificate.
    mutating func anotherHandshake() -> [Flight] { handshake12(asksForCertificate: true) }

    /// The records that carry what one side says.
    mutating func records(of content: [UInt8], type: UInt8 = ContentType.applicationData) -> [UInt8] {
        stride(from: 0, to: content.count, by: PlainTLS.longestContent).flatMap { start in
            let piece = Array(content[start..<min(start + PlainTLS.longestContent, content.count)])
            return options.isTLS13 ? record13(piece, type: type) : protected(piece, type: type)
        }
    }

    // MARK: Records

    private func record(_ content: [UInt8], type: UInt8 = ContentType.handshake) -> [UInt8] {
        [type] + PlainTLS.version + PlainTLS.sized(content, bytes: 2)
    }

    /// A record with its authentication code, of TLS 1.2.
    private mutating func protected(_ content: [UInt8], type: UInt8 = ContentType.handshake) -> [UInt8] {
        record(content + generator.bytes(32), type: type)
    }

    /// A record as the connection stands: protected once a handshake is over.
    private mutating func plainOrProtected(_ content: [UInt8], type: UInt8 = ContentType.handshake) -> [UInt8] {
        isProtected ? protected(content, type: type) : record(content, type: type)
    }

    /// A record with its authentication code, of TLS 1.3: its type is inside.
    private mutating func record13(_ content: [UInt8], type: UInt8 = ContentType.handshake) -> [UInt8] {
        record(content + [type] + generator.bytes(32), type: ContentType.applicationData)
    }

    private static func message(_ type: UInt8, _ content: [UInt8]) -> [UInt8] { [type] + sized(content, bytes: 3) }

    /// The content with its length before it.
    private static func sized(_ content: [UInt8], bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: content.count >> (8 * (bytes - 1 - $0))) } + content
    }

    private mutating func clientHello() -> [UInt8] {
        let name = PlainTLS.sized([0] + PlainTLS.sized(Array("intranet.example".utf8), bytes: 2), bytes: 2)
        var extensions = [0, 0] + PlainTLS.sized(name, bytes: 2)
        if options.isTLS13 { extensions += [0, 43, 0, 3, 2, 3, 4] }
        if options.offersPostHandshakeAuthentication { extensions += [0, 49, 0, 0] }
        let hello =
            PlainTLS.version + generator.bytes(32) + [0] + PlainTLS.sized(suite, bytes: 2) + [1, 0]
            + PlainTLS.sized(extensions, bytes: 2)
        return PlainTLS.message(1, hello)
    }
}

// MARK: - Handshakes

extension PlainTLS {
    private mutating func handshake12(asksForCertificate: Bool) -> [Flight] {
        let hello = plainOrProtected(clientHello())
        let answer = serverFlight(asksForCertificate: asksForCertificate)
        var client = asksForCertificate ? plainOrProtected(certificateMessage12) : []
        client += plainOrProtected(PlainTLS.message(16, generator.bytes(128)))
        if asksForCertificate { client += plainOrProtected(certificateVerify) }
        return [(.client, hello), (.server, answer), (.client, client + finish()), (.server, finish())]
    }

    /// ServerHello, Certificate, perhaps CertificateRequest, and ServerHelloDone.
    private mutating func serverFlight(asksForCertificate: Bool) -> [UInt8] {
        let hello = PlainTLS.version + generator.bytes(32) + [0] + suite + [0]
        // One kind of certificate (RSA), one signature algorithm, any issuer.
        let request: [UInt8] = [1, 1, 0, 2, 4, 1, 0, 0]
        return plainOrProtected(PlainTLS.message(2, hello)) + plainOrProtected(certificateMessage12)
            + (asksForCertificate ? plainOrProtected(PlainTLS.message(13, request)) : [])
            + plainOrProtected(PlainTLS.message(14, []))
    }

    private var certificateMessage12: [UInt8] {
        PlainTLS.message(11, PlainTLS.sized(PlainTLS.sized(PlainTLS.certificate, bytes: 3), bytes: 3))
    }

    private var certificateVerify: [UInt8] {
        mutating get { PlainTLS.message(15, [8, 4] + PlainTLS.sized(generator.bytes(64), bytes: 2)) }
    }

    /// ChangeCipherSpec and a protected Finished.
    private mutating func finish() -> [UInt8] {
        plainOrProtected([1], type: ContentType.changeCipherSpec)
            + protected(PlainTLS.message(20, generator.bytes(12)))
    }

    private mutating func handshake13() -> [Flight] {
        let hello = record(clientHello())
        let choice = PlainTLS.version + generator.bytes(32) + [0] + suite + [0, 0, 6, 0, 43, 0, 2, 3, 4]
        var server = PlainTLS.message(8, [0, 0])
        // No context, and one extension: the signature algorithms.
        if options.hasClientCertificate { server += PlainTLS.message(13, [0, 0, 8, 0, 13, 0, 4, 0, 2, 8, 4]) }
        server += certificateMessage13 + certificateVerify + PlainTLS.message(20, generator.bytes(32))
        var client = options.hasClientCertificate ? certificateMessage13 + certificateVerify : []
        client += PlainTLS.message(20, generator.bytes(32))
        let answer = record(PlainTLS.message(2, choice)) + record13(server)
        return [(.client, hello), (.server, answer), (.client, record13(client))]
    }

    private var certificateMessage13: [UInt8] {
        let entry = PlainTLS.sized(PlainTLS.certificate, bytes: 3) + [0, 0]
        return PlainTLS.message(11, [0] + PlainTLS.sized(entry, bytes: 3))
    }
}

extension PlainTLS {
    /// A self-signed certificate of `intranet.example`, valid from 2025-01-01 to 2035-01-01, RSA 2048 with SHA-256.
    ///
    /// The channel binding that belongs to it is 67A42627328CA64F699F9B33F1BDEA4D.
    static let certificate = bytes(
        hex: """
            308202FD308201E5A003020102020101300D06092A864886F70D01010B0500301B3119301706035504030C10696E7472616E
            65742E6578616D706C65301E170D3235303130313030303030305A170D3335303130313030303030305A301B311930170603
            5504030C10696E7472616E65742E6578616D706C6530820122300D06092A864886F70D01010105000382010F003082010A02
            82010100C830A42E337B95FAFD2E17701E1F82FE181353B1C2F282EF2CF8B75A681EF25F66C4B7F3698029935293327C7C46
            258A37A84F11E2A31A77C4E346D695319E0195834B5B1B7E8F062ECC77AB169B1BE74D7840381C67C453C816BCA51AF338AC
            0782FBDD5AC772FA3A3342E7DCFA9EF34EFAF279967AB43473BA050A9F3A0BCCCE4527D1919D7E47B519F830856A0E401228
            1A3ACF0A291DC91FBA6EF47094DCE7F6B8601571C3EE6B3FB6E1F2F85BC4E13D55B9826C0C8E765886F9557FC866DE35860B
            F4EB8DC468B941C39F7A1B0A704DC79380EE11667A73D21EA114302CB0737C5339A28E4E598968E8368945AC1381A1D0DB38
            6E4A8BC38C15483036150203010001A34C304A301B0603551D11041430128210696E7472616E65742E6578616D706C65300C
            0603551D130101FF04023000301D0603551D0E0416041431666D96A223A22E746BF3415C82F8377098E493300D06092A8648
            86F70D01010B0500038201010087B76FD0D127AA98D9721F00DF53801813FF3AA1F3D92FD4E24BCB136EDE286B370BD54744
            ECFBD7E345F4E8AAE5A6020B16FFBAC51EADAFD72B5DDA756A7FE60550A7AAFDDBDDD124D2FC582B3754524249790BB9C15A
            F5D7ACC9CD01795BB7BA995C25709AAC540599F4394DBD6CEF714718C827A527697B24DB617271EA1EB57B1E039B6A8261B7
            E9105CF1EAC0B57EE55CC6797A06F3AAFDF7F5EFD31EC4575B13283F268B91EBCD5EEF0E0E56EDC616FD32EF8794DA5C413F
            815533B9B63F1ADC24E81D6A919EE235B1E5C1D8463AF170C3CAEDDB567EBB0D9165515653E45CDC96D8E9750A05815C2734
            499A886E95E25E7D62C90FCF7485B6D4B67F62
            """
    )
}
