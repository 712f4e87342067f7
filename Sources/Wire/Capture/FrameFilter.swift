/// Chooses packets by the bytes of their frames, before anything of them is decoded.
///
/// What compiles and runs the filters of tcpdump's language lies outside of the packet stages.
public protocol FrameFilter: AnyObject {
    /// The filter as the user wrote it.
    var expression: String { get }

    /// Says what becomes of a frame.
    ///
    /// - Parameters:
    ///   - bytes: What was captured of the frame, from the first header of its link type on.
    ///   - linkType: The registered number of that link type, as in capture files.
    ///   - originalLength: How long the frame was on the wire, in bytes.
    /// - Returns: Whether it is analysed.
    func verdict(on bytes: RawSpan, linkType: UInt16, originalLength: Int) -> FrameVerdict
}

/// What a filter makes of a frame.
public enum FrameVerdict: Hashable, Sendable {
    /// It is analysed.
    case pass
    /// It is counted, and not looked at.
    case drop
    /// The filter says nothing about frames of this link type; the text is the reason, in one phrase.
    case inapplicable(String)
}
