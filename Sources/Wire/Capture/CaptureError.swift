/// A file that cannot be read as a capture at all.
public struct CaptureError: Error, Hashable, Sendable {
    /// Why it cannot be read.
    public enum Reason: Hashable, Sendable {
        /// There is no such file.
        case missing
        /// The path names a directory.
        case isDirectory
        /// The path names a directory without captures.
        case noCaptures
        /// The user may not read it.
        case permissionDenied
        /// The file has no bytes.
        case empty
        /// The first bytes are no capture's; the text says what they look like, where that is easily told.
        case notACapture(looksLike: String?)
        /// The file that should hold an RSA private key holds none, or an encrypted one.
        case notAPrivateKey
        /// There is no such network interface; the names are those of the interfaces that there are.
        case noSuchInterface(known: [String])
        /// The user may not capture on the network interface.
        case mayNotCapture
        /// The file for captured packets cannot be written; the text is the system's own.
        case unwritable(String)
        /// The system could not read it; the text is the system's own.
        case unreadable(String)
    }

    /// The path as the user gave it.
    public let path: String

    /// Why it cannot be read.
    public let reason: Reason

    /// Creates an error about a file.
    public init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

extension CaptureError: CustomStringConvertible {
    /// One line that says which file, and what is wrong with it.
    public var description: String { "\(path): \(explanation)" }

    /// What is wrong with the file, in one phrase without its path.
    public var explanation: String {
        switch reason {
        case .missing: "no such file"
        case .isDirectory: "is a directory"
        case .noCaptures: "there is no capture in this directory"
        case .permissionDenied: "permission denied"
        case .empty: "the file is empty"
        case .notACapture(let looksLike):
            "not a capture (pcap, pcapng, snoop, Network Monitor or ERF)"
                + (looksLike.map { "; it looks like \($0)" } ?? "")
        case .notAPrivateKey: "no RSA private key (PEM or DER, not encrypted)"
        case .noSuchInterface(let known):
            "no such network interface" + (known.isEmpty ? "" : "; there are \(known.joined(separator: ", "))")
        case .mayNotCapture:
            "no permission to capture on this interface; run authscan with sudo, or give it what it needs: "
                + "setcap cap_net_raw+ep on Linux, read access to /dev/bpf* on macOS"
        case .unwritable(let reason): "cannot be written: \(reason)"
        case .unreadable(let reason): reason
        }
    }
}
