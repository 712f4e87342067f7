/// One attribute that the server says about itself, or the client adds.
///
///     0 AvId (2)    2 AvLen (2)    4 Value
///
/// - Source: MS-NLMP 2.2.2.1.
public struct AVPair: Hashable, Sendable {
    /// What the attribute is.
    public struct ID: RawRepresentable, Hashable, Sendable {
        /// The number on the wire.
        public let rawValue: UInt16
        /// Names an attribute.
        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// The attribute's value, by its type.
    public enum Value: Hashable, Sendable {
        /// A name, in UTF-16 on the wire.
        case text(String)
        /// Bits: see `AVPair.Flags`.
        case flags(Flags)
        /// 100-nanosecond ticks since 1601-01-01 UTC.
        case timestamp(UInt64)
        /// Where the client runs.
        case singleHost(SingleHost)
        /// MD5 over the channel bindings: 16 bytes, all zero where there are none.
        case channelBindings([UInt8])
        /// An unknown attribute, or one whose value has the wrong length.
        case bytes([UInt8])
    }

    /// The bits of MsvAvFlags.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The bits on the wire.
        public let rawValue: UInt32
        /// A set of bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// The account authentication is constrained.
        public static let constrainedAuthentication = Self(rawValue: 1)
        /// The AUTHENTICATE_MESSAGE has a message integrity code.
        public static let messageIntegrityCodePresent = Self(rawValue: 2)
        /// The target name comes from an untrusted source.
        public static let untrustedTargetName = Self(rawValue: 4)
    }

    /// What the attribute is.
    public let id: ID
    /// The attribute's value.
    public let value: Value
    /// The value's bytes, as on the wire.
    public let bytes: [UInt8]
    /// Where the pair starts, in bytes from the start of its list.
    public let offset: Int
}

/// The value of MsvAvSingleHost: which machine the client runs on.
///
/// - Source: MS-NLMP 2.2.2.2 (Single_Host_Data).
public struct SingleHost: Hashable, Sendable {
    /// The structure's size as it states it: 48.
    public let size: UInt32
    /// Four bytes that must be zero.
    public let z4: UInt32
    /// Eight bytes for the machine's own use.
    public let customData: [UInt8]
    /// Thirty-two random bytes made at the machine's start.
    public let machineID: [UInt8]
}

/// What an NTLMv2 response says about the TLS connection it was made for.
///
/// - Source: MS-NLMP 2.2.2.1 (AvId 10).
public enum ChannelBindings: Hashable, Sendable {
    /// The list has no MsvAvChannelBindings.
    case absent
    /// Sixteen zero bytes: the client states that there are none.
    case zero
    /// MD5 over the `gss_channel_bindings_struct`.
    case present([UInt8])

    /// What such a hash says; `nil` where the message has none.
    public init(hash: [UInt8]?) {
        guard let hash else {
            self = .absent
            return
        }
        self = hash.allSatisfy { $0 == 0 } ? .zero : .present(hash)
    }
}
