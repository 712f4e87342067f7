import AuthScanBytes

/// What Windows adds to a refusal.
///
///     KERB-ERROR-DATA ::= SEQUENCE { data-type [1] INTEGER, data-value [2] OCTET STRING OPTIONAL }
///     KERB-EXT-ERROR: 0 status (4)    4 reserved (4)    8 flags (4), least significant byte first
///
/// - Source: MS-KILE 2.2.1, 2.2.2.
public struct KerberosErrorData: Hashable, Sendable {
    /// What the value is: 2 says that the clocks were compared, 3 is an extended error.
    public let dataType: Int
    /// The NTSTATUS of an extended error; `nil` for another type.
    public let status: UInt32?
    /// The second word of an extended error, which should be zero; `nil` for another type.
    public let reserved: UInt32?
    /// The flags of an extended error; `nil` for another type.
    public let flags: UInt32?
}

extension KRBError {
    /// The pre-authentication data that the KDC asks for or hints at; empty where e-data hold something else.
    ///
    /// Nothing is kept: each call decodes anew.
    ///
    /// - Source: RFC 4120 §5.9.1 (METHOD-DATA).
    public func methodData() -> [PreauthenticationData] {
        let list = eData?.withRevealed { bytes -> [PreauthenticationData]? in
            // Data of another form are no failure: the field has several.
            guard var reader = try? DERReader(bytes[...]), let node = try? reader.read(.sequence, as: "METHOD-DATA")
            else { return nil }
            return try? PreauthenticationData.list(decoding: node)
        }
        return (list ?? nil) ?? []
    }

    /// What Windows says in e-data; `nil` where they hold something else.
    ///
    /// - Source: MS-KILE 2.2.1.
    public func errorData() -> KerberosErrorData? {
        eData?.withRevealed { bytes -> KerberosErrorData? in
            // Data of another form are no failure: the field has several.
            guard var outer = try? DERReader(bytes[...]), let node = try? outer.read(.sequence, as: "KERB-ERROR-DATA"),
                var reader = try? node.reader(as: "KERB-ERROR-DATA"),
                let type = try? reader.readInteger(1, as: "data-type"),
                let value = try? reader.readOptional(2, as: "data-value")?.octets(as: "data-value")
            else { return nil }
            var cursor = ByteCursor(value)
            guard type == 3, let status = try? cursor.readLittleEndian(UInt32.self, as: "status"),
                let reserved = try? cursor.readLittleEndian(UInt32.self, as: "reserved")
            else { return KerberosErrorData(dataType: type, status: nil, reserved: nil, flags: nil) }
            return KerberosErrorData(
                dataType: type,
                status: status,
                reserved: reserved,
                flags: try? cursor.readLittleEndian(UInt32.self, as: "flags")
            )
        } ?? nil
    }
}
