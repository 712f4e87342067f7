public import AuthScanBytes
public import AuthScanSchemes

/// One key of a keytab.
///
///     keytab = 05 02 *( size (4) entry )
///     entry  = count (2) realm *component name-type (4) timestamp (4) kvno (1) etype (2) key [ kvno (4) ]
///     realm, component, key = length (2) octets
///
/// Numbers stand most significant byte first; an entry of negative size is a hole.
/// - Source: MIT Kerberos, "Keytab file format".
public struct KeytabEntry: Hashable, Sendable {
    /// The principal's name: `HTTP/intranet.example`.
    public let name: String
    /// The principal's realm.
    public let realm: String
    /// The key's version.
    public let kvno: Int
    /// The encryption type that the key is for.
    public let etype: EncryptionType
    /// The key.
    public let key: Secret<[UInt8]>

    /// The name and realm: `HTTP/intranet.example@CORP.EXAMPLE`.
    public var principal: String { "\(name)@\(realm)" }

    /// Reads a keytab; at most 4,096 keys are taken.
    ///
    /// - Throws: when the file does not start as a keytab of version 2 does, or an entry is cut.
    static func entries(decoding file: ArraySlice<UInt8>) throws(DecodeError) -> [KeytabEntry] {
        var cursor = ByteCursor(file)
        guard try cursor.readBigEndian(UInt16.self, as: "version") == 0x0502 else {
            throw DecodeError(.invalidValue("is no keytab of version 2"), "file", offset: 0)
        }
        var entries: [KeytabEntry] = []
        while cursor.remaining > 0, entries.count < 4096 {
            let size = try cursor.readBigEndian(Int32.self, as: "size")
            let octets = try cursor.take(Int(size.magnitude), as: "entry")
            if size > 0 { entries.append(try KeytabEntry(decoding: octets)) }
        }
        return entries
    }

    private init(decoding octets: ArraySlice<UInt8>) throws(DecodeError) {
        var cursor = ByteCursor(octets)
        let count = Int(try cursor.readBigEndian(UInt16.self, as: "components"))
        realm = fieldText(try cursor.takeCounted("realm"))
        var parts: [String] = []
        for _ in 0..<min(count, 32) { parts.append(fieldText(try cursor.takeCounted("component"))) }
        name = parts.joined(separator: "/")
        _ = try cursor.take(8, as: "name-type")
        let shortVersion = Int(try cursor.readBigEndian(UInt8.self, as: "kvno"))
        etype = EncryptionType(rawValue: Int(try cursor.readBigEndian(Int16.self, as: "etype")))
        key = Secret(Array(try cursor.takeCounted("key")))
        // Versions above 255 stand in four octets behind the key; older writers leave these out.
        let version = cursor.remaining >= 4 ? Int(try cursor.readBigEndian(UInt32.self, as: "kvno")) : 0
        kvno = version > 0 ? version : shortVersion
    }
}

extension ByteCursor {
    fileprivate mutating func takeCounted(_ field: String) throws(DecodeError) -> ArraySlice<UInt8> {
        try take(Int(try readBigEndian(UInt16.self, as: field)), as: field)
    }
}
