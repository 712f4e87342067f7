/// One record of a capture file: where its bytes lie in the block being read, and what the capture says about them.
struct CapturedFrame {
    /// The frame's number, counted from 1 over all files.
    var number: Int

    /// When it was captured.
    var time: Timestamp

    /// What its first header is.
    var linkType: LinkType

    /// Where its bytes start, in bytes from the start of the block being read.
    var start: Int

    /// How many of its bytes were captured.
    var count: Int

    /// How long it was on the wire, in bytes; more than `count` where the snapshot length cut it.
    var originalLength: Int

    /// The number of the process that it belongs to, as the capture's own blocks say; 0 for none.
    var process: UInt32 = 0
}
