public import AuthScanBytes

/// The secrets that a pcapng file carries for its own decryption: the contents of its Decryption Secrets Blocks.
///
/// - Source: draft-ietf-opsawg-pcapng §4.7.
public struct EmbeddedSecrets: Hashable, Sendable {
    /// What the secrets of a block are.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The number that the block states.
        public let rawValue: UInt32

        /// Creates a kind from a block's number.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// A TLS key log, as NSS writes it: text, a secret a line.
        public static let tlsKeyLog = Kind(rawValue: 0x544C_534B)
    }

    /// The content of one block.
    public struct Block: Hashable, Sendable {
        /// What it is.
        public let kind: Kind

        /// Its bytes as the file has them.
        public let content: Secret<[UInt8]>

        /// States a block.
        public init(kind: Kind, content: Secret<[UInt8]>) {
            self.kind = kind
            self.content = content
        }
    }

    /// The blocks in file order.
    public internal(set) var blocks: [Block] = []

    /// How many blocks were too much for the limits, and not kept.
    public internal(set) var blocksLeftOut = 0

    /// No secrets.
    public init() {}
}
