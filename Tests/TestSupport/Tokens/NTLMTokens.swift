/// What an AUTHENTICATE_MESSAGE takes over from the CHALLENGE_MESSAGE before it.
struct ChallengeContents {
    /// The NetBIOS name of the server's domain.
    var domain = "CORP"

    /// The NetBIOS name of the server.
    var computer = "WEB03"

    /// The target information without `MsvAvEOL`.
    var pairs: [AVPairContents] = []

    /// The nonce of the challenge.
    var serverChallenge: [UInt8] = []

    /// Whether the target information has an `MsvAvTimestamp`.
    var hasTimestamp = true
}

/// One attribute/value pair: identifier, length, value.
///
/// - Source: MS-NLMP 2.2.2.1.
struct AVPairContents {
    var id: UInt16
    var value: [UInt8]

    static func text(_ id: UInt16, _ text: String) -> AVPairContents { AVPairContents(id: id, value: utf16(text)) }

    static func list(_ pairs: [AVPairContents]) -> [UInt8] {
        var bytes: [UInt8] = []
        for pair in pairs + [AVPairContents(id: 0, value: [])] {
            bytes.appendLittleEndian(pair.id)
            bytes.appendLittleEndian(UInt16(pair.value.count))
            bytes += pair.value
        }
        return bytes
    }
}

/// A text in UTF-16, least significant byte first, as `NTLMSSP_NEGOTIATE_UNICODE` asks for.
func utf16(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }

/// The bits of NegotiateFlags that are set here.
///
/// - Source: MS-NLMP 2.2.2.5.
enum NTLMFlag {
    static let unicode: UInt32 = 0x0000_0001
    static let oem: UInt32 = 0x0000_0002
    static let requestTarget: UInt32 = 0x0000_0004
    static let ntlm: UInt32 = 0x0000_0200
    static let anonymous: UInt32 = 0x0000_0800
    static let domainSupplied: UInt32 = 0x0000_1000
    static let workstationSupplied: UInt32 = 0x0000_2000
    static let alwaysSign: UInt32 = 0x0000_8000
    static let targetTypeDomain: UInt32 = 0x0001_0000
    static let targetTypeServer: UInt32 = 0x0002_0000
    static let extendedSessionSecurity: UInt32 = 0x0008_0000
    static let targetInfo: UInt32 = 0x0080_0000
    static let version: UInt32 = 0x0200_0000
    static let encryption128: UInt32 = 0x2000_0000
    static let encryption56: UInt32 = 0x8000_0000

    /// What all three messages here agree on.
    static let common =
        requestTarget | ntlm | alwaysSign | extendedSessionSecurity | version | encryption128 | encryption56
}

/// A message whose variable fields have headers in the fixed part and contents in the payload.
///
/// - Source: MS-NLMP 2.2.
struct NTLMMessageWriter {
    private var fixed: [UInt8]
    private var payload: [UInt8] = []
    private let fixedLength: Int

    init(type: UInt32, fixedLength: Int) {
        fixed = Array("NTLMSSP\0".utf8)
        fixed.appendLittleEndian(type)
        self.fixedLength = fixedLength
    }

    mutating func append(_ value: UInt32) { fixed.appendLittleEndian(value) }

    mutating func append(_ bytes: [UInt8]) { fixed += bytes }

    /// Where in the payload the contents of a variable field were put.
    struct Place {
        fileprivate let length: Int
        fileprivate let offset: Int
    }

    /// Puts contents at the end of the payload.
    mutating func place(_ contents: [UInt8]) -> Place {
        defer { payload += contents }
        return Place(length: contents.count, offset: fixedLength + payload.count)
    }

    /// Len, MaxLen, BufferOffset.
    mutating func append(_ place: Place) {
        fixed.appendLittleEndian(UInt16(place.length))
        fixed.appendLittleEndian(UInt16(place.length))
        fixed.appendLittleEndian(UInt32(place.offset))
    }

    /// Windows 10.0, build 20348, NTLMSSP_REVISION_W2K3.
    ///
    /// - Source: MS-NLMP 2.2.2.10.
    mutating func appendVersion() { fixed += [10, 0, 0x7C, 0x4F, 0, 0, 0, 15] }

    var bytes: [UInt8] {
        precondition(fixed.count == fixedLength, "the fixed part of an NTLM message has the length it was promised")
        return fixed + payload
    }
}

extension TokenEncoder {
    /// `NEGOTIATE_MESSAGE [domain=] [workstation=] [flags=]`.
    ///
    /// - Source: MS-NLMP 2.2.1.1.
    func negotiateMessage(_ expression: inout TokenExpression) throws(TranscriptError) -> [UInt8] {
        let domain = expression.take("domain") ?? ""
        let workstation = expression.take("workstation") ?? ""
        var flags = NTLMFlag.common | NTLMFlag.unicode | NTLMFlag.oem
        if !domain.isEmpty { flags |= NTLMFlag.domainSupplied }
        if !workstation.isEmpty { flags |= NTLMFlag.workstationSupplied }

        var message = NTLMMessageWriter(type: 1, fixedLength: 40)
        message.append(try takeFlags(&expression, flags))
        // MS-NLMP 2.2.1.1: both names "MUST be encoded using the OEM character set".
        message.append(message.place(Array(domain.utf8)))
        message.append(message.place(Array(workstation.utf8)))
        message.appendVersion()
        return message.bytes
    }

    /// `CHALLENGE_MESSAGE` with the options that ``Transcript`` lists.
    ///
    /// - Source: MS-NLMP 2.2.1.2.
    mutating func challengeMessage(_ expression: inout TokenExpression) throws(TranscriptError) -> [UInt8] {
        let domain = expression.take("domain") ?? "CORP"
        let computer = expression.take("computer") ?? "WEB03"
        let dnsDomain = expression.take("dns-domain") ?? "\(domain.lowercased()).example"
        let dnsComputer = expression.take("dns-computer") ?? "\(computer.lowercased()).\(dnsDomain)"
        let type = expression.take("type") ?? "domain"
        guard type == "domain" || type == "server" else {
            throw expression.error("type=\(type) is neither domain nor server")
        }

        challenge = ChallengeContents(domain: domain, computer: computer)
        challenge.hasTimestamp = try expression.takeFlag("timestamp") ?? true
        challenge.pairs = [.text(2, domain), .text(1, computer), .text(4, dnsDomain), .text(3, dnsComputer)]
        if challenge.hasTimestamp { challenge.pairs.append(AVPairContents(id: 7, value: ntlmTime())) }
        let hasTargetInfo = try expression.takeFlag("target-info") ?? true
        if !hasTargetInfo {
            challenge.pairs = []
            challenge.hasTimestamp = false
        }

        var generator = SeededGenerator(from: "challenge \(position)")
        let serverChallenge = try expression.takeHex("challenge", count: 8) ?? generator.bytes(8)
        challenge.serverChallenge = serverChallenge
        let targetType = type == "server" ? NTLMFlag.targetTypeServer : NTLMFlag.targetTypeDomain
        let info = hasTargetInfo ? NTLMFlag.targetInfo : 0
        let flags = NTLMFlag.common | NTLMFlag.unicode | info | targetType

        var message = NTLMMessageWriter(type: 2, fixedLength: 56)
        message.append(message.place(utf16(type == "server" ? computer : domain)))
        message.append(try takeFlags(&expression, flags))
        message.append(serverChallenge)
        message.append([UInt8](repeating: 0, count: 8))
        message.append(message.place(hasTargetInfo ? AVPairContents.list(challenge.pairs) : []))
        message.appendVersion()
        return message.bytes
    }

    /// The start of the capture, or some seconds later, in 100-nanosecond ticks since 1601-01-01 UTC.
    func ntlmTime(late seconds: Int = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian((UInt64(Transcript.startSeconds + seconds) + 11_644_473_600) * 10_000_000)
        return bytes
    }

    func takeFlags(_ expression: inout TokenExpression, _ usual: UInt32) throws(TranscriptError) -> UInt32 {
        try expression.takeNumber("flags").map { UInt32(truncatingIfNeeded: $0) } ?? usual
    }
}
