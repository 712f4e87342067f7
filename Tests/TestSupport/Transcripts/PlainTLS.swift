/// TLS 1.2 whose records are authenticated and not encrypted: `TLS_RSA_WITH_NULL_SHA256`.
///
/// Everything is in the capture for all to read, so that no keys are needed. The server shows `certificate`; what only the
/// keys could prove (the authentication codes, the Finished messages) are made-up bytes.
///
/// - Source: RFC 5246 §6.2, §7.4.
struct PlainTLS {
    private enum ContentType {
        static let changeCipherSpec: UInt8 = 20
        static let handshake: UInt8 = 22
        static let applicationData: UInt8 = 23
    }

    private static let longestContent = 1 << 14
    private static let suite: [UInt8] = [0x00, 0x3B]
    private static let version: [UInt8] = [3, 3]

    private var generator: SeededGenerator

    /// The connection with this number.
    init(number: Int) { generator = SeededGenerator(from: "tls \(number)") }

    /// The four flights of the handshake, in order.
    mutating func handshake() -> [(side: Transcript.Side, bytes: [UInt8])] {
        [
            (.client, record(PlainTLS.handshakeMessage(1, clientHello()))),
            (.server, serverFlight()),
            (.client, record(PlainTLS.handshakeMessage(16, [0, 128] + generator.bytes(128))) + finish()),
            (.server, finish()),
        ]
    }

    /// The records that carry what one side says.
    mutating func records(of content: [UInt8]) -> [UInt8] {
        stride(from: 0, to: content.count, by: PlainTLS.longestContent).flatMap { start in
            let piece = content[start..<min(start + PlainTLS.longestContent, content.count)]
            return record(piece + generator.bytes(32), type: ContentType.applicationData)
        }
    }

    private func record(_ content: [UInt8], type: UInt8 = ContentType.handshake) -> [UInt8] {
        [type] + PlainTLS.version + PlainTLS.sized(content, bytes: 2)
    }

    /// ChangeCipherSpec and a protected Finished.
    private mutating func finish() -> [UInt8] {
        record([1], type: ContentType.changeCipherSpec)
            + record(PlainTLS.handshakeMessage(20, generator.bytes(12)) + generator.bytes(32))
    }

    private mutating func clientHello() -> [UInt8] {
        let name = PlainTLS.sized([0] + PlainTLS.sized(Array("intranet.example".utf8), bytes: 2), bytes: 2)
        let serverName: [UInt8] = [0, 0] + PlainTLS.sized(name, bytes: 2)
        return PlainTLS.version + generator.bytes(32) + [0] + PlainTLS.sized(PlainTLS.suite, bytes: 2) + [1, 0]
            + PlainTLS.sized(serverName, bytes: 2)
    }

    /// ServerHello, Certificate and ServerHelloDone.
    private mutating func serverFlight() -> [UInt8] {
        let hello = PlainTLS.version + generator.bytes(32) + [0] + PlainTLS.suite + [0]
        let certificates = PlainTLS.sized(PlainTLS.sized(PlainTLS.certificate, bytes: 3), bytes: 3)
        return record(PlainTLS.handshakeMessage(2, hello)) + record(PlainTLS.handshakeMessage(11, certificates))
            + record(PlainTLS.handshakeMessage(14, []))
    }

    private static func handshakeMessage(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        [type] + sized(content, bytes: 3)
    }

    /// The content with its length before it.
    private static func sized(_ content: [UInt8], bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: content.count >> (8 * (bytes - 1 - $0))) } + content
    }

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
