import AuthScanBytes

extension AVPair.ID {
    /// Ends the list.
    public static let eol = Self(rawValue: 0)
    /// The server's NetBIOS name.
    public static let nbComputerName = Self(rawValue: 1)
    /// The server's NetBIOS domain.
    public static let nbDomainName = Self(rawValue: 2)
    /// The server's DNS name.
    public static let dnsComputerName = Self(rawValue: 3)
    /// The server's DNS domain.
    public static let dnsDomainName = Self(rawValue: 4)
    /// The forest's DNS name.
    public static let dnsTreeName = Self(rawValue: 5)
    /// Bits about the exchange.
    public static let flags = Self(rawValue: 6)
    /// The server's time.
    public static let timestamp = Self(rawValue: 7)
    /// The client's machine.
    public static let singleHost = Self(rawValue: 8)
    /// The service principal name the client means to talk to.
    public static let targetName = Self(rawValue: 9)
    /// A hash of the channel bindings.
    public static let channelBindings = Self(rawValue: 10)

    /// The specification's name, such as `MsvAvTimestamp`; `unknown (0x002A)` for others.
    public var name: String {
        switch rawValue {
        case 0: "MsvAvEOL"
        case 1: "MsvAvNbComputerName"
        case 2: "MsvAvNbDomainName"
        case 3: "MsvAvDnsComputerName"
        case 4: "MsvAvDnsDomainName"
        case 5: "MsvAvDnsTreeName"
        case 6: "MsvAvFlags"
        case 7: "MsvAvTimestamp"
        case 8: "MsvAvSingleHost"
        case 9: "MsvAvTargetName"
        case 10: "MsvAvChannelBindings"
        default: "unknown (0x\(Hex.encode(rawValue)))"
        }
    }
}

extension [AVPair] {
    /// The first pair with this ID; `nil` where there is none.
    public subscript(id: AVPair.ID) -> AVPair? { first { $0.id == id } }

    /// The text of the first pair with this ID; `nil` where there is none, or its value is no text.
    public func text(of id: AVPair.ID) -> String? {
        if case .text(let text) = self[id]?.value { text } else { nil }
    }

    /// The value of MsvAvTimestamp, in 100-nanosecond ticks since 1601-01-01 UTC; `nil` where there is none.
    public var timestampTicks: UInt64? {
        if case .timestamp(let ticks) = self[.timestamp]?.value { ticks } else { nil }
    }

    /// The value of MsvAvFlags; `nil` where there is none.
    public var avFlags: AVPair.Flags? {
        if case .flags(let flags) = self[.flags]?.value { flags } else { nil }
    }

    /// What the list says about the TLS connection.
    public var channelBindings: ChannelBindings {
        guard case .channelBindings(let hash) = self[.channelBindings]?.value else { return .absent }
        return ChannelBindings(hash: hash)
    }
}
