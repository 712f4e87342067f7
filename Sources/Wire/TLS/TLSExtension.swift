import AuthScanBytes

/// An extension of a hello, a certificate or a request, as on the wire.
///
/// ```
/// type(2) length(2) data
/// ```
///
/// - Source: RFC 8446 §4.2.
struct TLSExtension {
    /// The kinds of extensions that are read.
    struct Kind: RawRepresentable, Hashable {
        let rawValue: UInt16
        static let serverName = Kind(rawValue: 0)
        static let truncatedHMAC = Kind(rawValue: 4)
        static let supportedGroups = Kind(rawValue: 10)
        static let alpn = Kind(rawValue: 16)
        static let encryptThenMAC = Kind(rawValue: 22)
        static let extendedMasterSecret = Kind(rawValue: 23)
        static let sessionTicket = Kind(rawValue: 35)
        static let preSharedKey = Kind(rawValue: 41)
        static let earlyData = Kind(rawValue: 42)
        static let supportedVersions = Kind(rawValue: 43)
        static let certificateAuthorities = Kind(rawValue: 47)
        static let postHandshakeAuth = Kind(rawValue: 49)
        static let encryptedClientHello = Kind(rawValue: 0xFE0D)
    }

    let kind: Kind
    let data: ArraySlice<UInt8>

    /// Reads the extensions behind `cursor`; an absent list is an empty one.
    static func list(_ cursor: inout ByteCursor) throws(DecodeError) -> [TLSExtension] {
        guard cursor.remaining > 0 else { return [] }
        var inner = ByteCursor(try cursor.takeVector(lengthBytes: 2, as: "extensions"))
        var extensions: [TLSExtension] = []
        while inner.remaining > 0 {
            let kind = Kind(rawValue: try inner.readBigEndian(UInt16.self, as: "extension_type"))
            extensions.append(
                TLSExtension(kind: kind, data: try inner.takeVector(lengthBytes: 2, as: "extension_data"))
            )
        }
        return extensions
    }
}

extension [TLSExtension] {
    /// The data of the first extension of a kind; `nil` where there is none.
    subscript(kind: TLSExtension.Kind) -> ArraySlice<UInt8>? { first { $0.kind == kind }?.data }

    /// The protocol names of an ALPN extension.
    ///
    /// - Source: RFC 7301 §3.1.
    var protocolNames: [String] {
        guard let data = self[.alpn] else { return [] }
        var cursor = ByteCursor(data)
        var names: [String] = []
        // A list that is cut gives the names before the cut.
        guard let list = try? cursor.takeVector(lengthBytes: 2, as: "protocol_name_list") else { return [] }
        var inner = ByteCursor(list)
        while let name = try? inner.takeVector(lengthBytes: 1, as: "ProtocolName") { names.append(fieldText(name)) }
        return names
    }
}
