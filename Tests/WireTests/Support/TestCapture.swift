import AuthScanBytes

@testable import AuthScanWire

/// A classic pcap file of frames that are a millisecond apart.
func pcap(
    _ frames: [[UInt8]],
    linkType: UInt32 = 1,
    magic: UInt32 = 0xA1B2_C3D4,
    isBigEndian: Bool = false,
    originalLengths: [Int: Int] = [:]
) -> [UInt8] {
    func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        isBigEndian ? bigEndian(value) : littleEndian(value)
    }
    var bytes = number(magic) + number(UInt16(2)) + number(UInt16(4)) + [UInt8](repeating: 0, count: 8)
    bytes += number(UInt32(262_144)) + number(linkType)
    for (index, frame) in frames.enumerated() {
        bytes += number(UInt32(1_700_000_000)) + number(UInt32(index * 1000)) + number(UInt32(frame.count))
        bytes += number(UInt32(originalLengths[index] ?? frame.count)) + frame
    }
    return bytes
}

/// Analyses files, each handed over in blocks of a size.
func analyze(_ files: [[UInt8]], blockSize: Int = .max, limits: Limits = Limits()) throws(CaptureError) -> WireCapture {
    var analysis = CaptureAnalysis(limits: limits)
    for (index, file) in files.enumerated() {
        analysis.beginFile(path: "file\(index).pcap", compression: nil)
        var position = 0
        while position < file.count {
            let end = position + min(blockSize, file.count - position)
            try analysis.receive(Array(file[position..<end]))
            position = end
        }
        try analysis.endFile()
    }
    return analysis.finish()
}

/// Analyses the segments in the order given.
func analyze(_ segments: [TestSegment], limits: Limits = Limits()) throws -> WireCapture {
    try analyze([pcap(segments.map(\.ethernet))], limits: limits)
}

/// Analyses one conversation.
func analyze(_ write: (inout TestConversation) -> Void) throws -> WireCapture {
    var conversation = TestConversation()
    write(&conversation)
    return try analyze(conversation.segments)
}

extension HTTPTransaction {
    /// What a test compares: `GET / → 200`, `– → 200` where the request is missing.
    var summary: String {
        let request = request.map { "\($0.method) \($0.target)" } ?? "–"
        return request + " → " + (response.map { "\($0.status)" } ?? "–")
    }
}

extension WireCapture {
    /// The transactions in short.
    var summaries: [String] { transactions.map(\.summary) }
}
