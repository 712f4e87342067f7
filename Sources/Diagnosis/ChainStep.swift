/// The steps of an authentication chain, in the order in which a client takes them.
public enum ChainStep: String, Sendable, CaseIterable {
    /// The TCP connection is accepted.
    case connect
    /// The client trusts the server's certificate.
    case trust
    /// The client shows the certificate that the server asked for.
    case clientCertificate
    /// Every proxy on the way is satisfied.
    case proxy
    /// The server says which schemes it takes.
    case challenge
    /// The client answers with credentials.
    case answer
    /// The legs of a scheme with several messages reach each other.
    case handshake
    /// The server accepts the credential.
    case accept
    /// The user may have what is asked for.
    case authorize
    /// Later requests stay authenticated.
    case `continue`
}

/// What became of a step; the raw value is the `state` of the JSON report.
public enum StepState: String, Sendable {
    /// The step was taken.
    case ok
    /// The step failed.
    case broken
    /// An earlier step failed, or the chain ended before.
    case notReached
    /// This chain does not need the step.
    case notNeeded
    /// The capture does not show it.
    case cannotTell
}

/// A step of one chain.
public struct StepResult: Hashable, Sendable {
    /// Which step.
    public let step: ChainStep

    /// What became of it.
    public let state: StepState

    /// A large capture has ten of these for each of its chains: the packet takes 32 bits, 0 stands for none.
    private let storedPacket: UInt32

    /// The packet that shows it, counted from 1; `nil` where there is none.
    public var packet: Int? { storedPacket == 0 ? nil : Int(storedPacket) }

    /// States what became of a step.
    public init(step: ChainStep, state: StepState, packet: Int?) {
        self.step = step
        self.state = state
        storedPacket = UInt32(clamping: packet ?? 0)
    }
}

/// What the user ends up with; the raw value is the `verdict` of the JSON report.
public enum Verdict: String, Sendable {
    /// Authentication works in the end.
    case working
    /// It fails in the client's last tries.
    case broken
    /// The capture does not show the end.
    case cannotTell
}

/// The first step that fails in a chain, and what explains it.
public struct Breakpoint: Hashable, Sendable {
    /// The step.
    public let step: ChainStep

    /// The number of the finding that explains it; `nil` where no rule does.
    public internal(set) var finding: Int?

    /// The packet at which it fails, counted from 1.
    public let packet: Int
}
