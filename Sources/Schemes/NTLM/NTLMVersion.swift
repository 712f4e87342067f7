/// The operating system's version that a message may carry for debugging.
///
///     0 ProductMajorVersion   2 ProductBuild (2)    4 Reserved (3)    7 NTLMRevisionCurrent
///     1 ProductMinorVersion
///
/// - Source: MS-NLMP 2.2.2.10.
public struct NTLMVersion: Hashable, Sendable {
    /// The major version.
    public let major: UInt8
    /// The minor version.
    public let minor: UInt8
    /// The build.
    public let build: UInt16
    /// Three bytes that are zero, but for Apple's implementation.
    public let reserved: [UInt8]
    /// The revision of NTLMSSP: 15 since Windows Server 2003.
    public let revision: UInt8

    /// Whether this is what Apple's NTLM (Heimdal) writes: revision 0, and the 15 in the first reserved byte.
    public var isAppleFingerprint: Bool { revision == 0 && reserved == [15, 0, 0] }
}
