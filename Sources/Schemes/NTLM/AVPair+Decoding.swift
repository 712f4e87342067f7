import AuthScanBytes

/// A list of AV pairs, as far as it can be read.
///
///     *( AvId (2) AvLen (2) Value (AvLen) ) MsvAvEOL
///
/// - Source: MS-NLMP 2.2.2.1.
struct AVPairList {
    /// How many pairs are kept; the specification knows eleven.
    static let limit = 256

    private(set) var pairs: [AVPair] = []
    /// What follows MsvAvEOL; empty where the list has no such end.
    private(set) var trailing: ArraySlice<UInt8> = []
    private(set) var hasEnd = false
    /// What is malformed, with offsets from the start of the NTLM message.
    private(set) var problems: [DecodeError] = []
    private let base: Int

    /// Reads a list that starts `base` bytes into its message.
    init(decoding bytes: ArraySlice<UInt8>, at base: Int) {
        self.base = base
        var cursor = ByteCursor(bytes)
        do throws(DecodeError) {
            while !hasEnd {
                guard cursor.remaining > 0 else {
                    // "The list is terminated by an AV_PAIR structure with an AvId of MsvAvEOL".
                    throw DecodeError(
                        .invalidValue("the list does not end in MsvAvEOL"),
                        "AvPairs",
                        offset: cursor.offset
                    )
                }
                try readPair(&cursor)
            }
            trailing = try cursor.take(cursor.remaining, as: "AvPairs")
        } catch {
            note(error)
        }
    }

    private mutating func readPair(_ cursor: inout ByteCursor) throws(DecodeError) {
        let offset = cursor.offset
        let id = AVPair.ID(rawValue: try cursor.readLittleEndian(UInt16.self, as: "AvId"))
        let length = Int(try cursor.readLittleEndian(UInt16.self, as: "AvLen"))
        let bytes = try cursor.take(length, as: id.name)
        guard id != .eol else {
            hasEnd = true
            if length != 0 { note(DecodeError(.invalidValue("AvLen is not zero"), id.name, offset: offset)) }
            return
        }
        guard pairs.count < Self.limit else {
            throw DecodeError(.limitExceeded(limit: Self.limit), "AvPairs", offset: offset)
        }
        if pairs.contains(where: { $0.id == id }) {
            note(DecodeError(.invalidValue("stands there twice"), id.name, offset: offset))
        }
        let value = AVPair.Value(decoding: bytes, of: id)
        if case .bytes = value, (1...10).contains(id.rawValue) {
            note(DecodeError(.invalidValue("\(length) bytes are no value of it"), id.name, offset: offset))
        }
        pairs.append(AVPair(id: id, value: value, bytes: Array(bytes), offset: offset))
    }

    private mutating func note(_ error: DecodeError) {
        problems.append(DecodeError(error.problem, error.field, offset: base + error.offset))
    }
}

extension AVPair.Value {
    /// Decodes a value by its attribute; `.bytes` where the length does not fit.
    fileprivate init(decoding bytes: ArraySlice<UInt8>, of id: AVPair.ID) {
        var cursor = ByteCursor(bytes)
        // A value of the wrong length stays bytes, and the list notes it: the cursor's reason adds nothing.
        switch id {
        case .nbComputerName, .nbDomainName, .dnsComputerName, .dnsDomainName, .dnsTreeName, .targetName:
            self = bytes.count % 2 == 0 ? .text(NTLMStringDecoder.utf16Text(bytes)) : .bytes(Array(bytes))
        case .flags:
            let flags = bytes.count == 4 ? try? cursor.readLittleEndian(UInt32.self, as: "MsvAvFlags") : nil
            self = flags.map { .flags(AVPair.Flags(rawValue: $0)) } ?? .bytes(Array(bytes))
        case .timestamp:
            let ticks = bytes.count == 8 ? try? cursor.readLittleEndian(UInt64.self, as: "MsvAvTimestamp") : nil
            self = ticks.map { .timestamp($0) } ?? .bytes(Array(bytes))
        case .singleHost:
            self = (try? SingleHost(reading: &cursor)).map { .singleHost($0) } ?? .bytes(Array(bytes))
        case .channelBindings where bytes.count == 16: self = .channelBindings(Array(bytes))
        default: self = .bytes(Array(bytes))
        }
    }
}

extension SingleHost {
    /// Reads Size (4), Z4 (4), CustomData (8) and MachineID (32).
    fileprivate init(reading cursor: inout ByteCursor) throws(DecodeError) {
        size = try cursor.readLittleEndian(UInt32.self, as: "Size")
        z4 = try cursor.readLittleEndian(UInt32.self, as: "Z4")
        customData = Array(try cursor.take(8, as: "CustomData"))
        machineID = Array(try cursor.take(32, as: "MachineID"))
    }
}
