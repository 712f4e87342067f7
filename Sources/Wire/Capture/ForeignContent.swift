/// Tells what a file that is no capture most likely is, so that the error can say so.
enum ForeignContent {
    private static let signatures: [(bytes: [UInt8], name: String)] = [
        ([0x1F, 0x8B], "gzip data inside the decompressed file"),
        ([0x28, 0xB5, 0x2F, 0xFD], "zstd data inside the decompressed file"),
        ([0x04, 0x22, 0x4D, 0x18], "lz4 data inside the decompressed file"),
        ([0x02, 0x21, 0x4C, 0x18], "lz4-compressed data of the legacy form"),
        ([0x42, 0x5A, 0x68], "bzip2-compressed data"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz-compressed data"), ([0x50, 0x4B, 0x03, 0x04], "a zip archive"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"), (Array("snoop\0".utf8), "a snoop capture of another version"),
        (Array("GMBU".utf8), "a Network Monitor capture of another version"),
        (Array("XCP\0".utf8), "a NetXRay capture"),
        (Array("%PDF".utf8), "a PDF document"),
    ]

    /// A name for content that starts with these bytes; `nil` where nothing is known about it.
    static func name(of start: [UInt8]) -> String? {
        if let known = signatures.first(where: { start.starts(with: $0.bytes) }) { return known.name }
        guard let text = String(validating: start, as: UTF8.self) ?? asciiText(start) else { return nil }
        let first = text.unicodeScalars.first { $0.value > 0x20 }
        if first == "{" || first == "[" { return "JSON text (a HAR file?)" }
        if first == "<" { return "XML or HTML text" }
        return text.unicodeScalars.allSatisfy { $0.value >= 0x20 || [0x09, 0x0A, 0x0D].contains($0.value) }
            ? "text" : nil
    }

    /// Text whose last character may be cut.
    private static func asciiText(_ bytes: [UInt8]) -> String? {
        bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

/// Whether a file that starts with these bytes is a capture of a form that is read.
public func isCapture(startingWith start: [UInt8]) -> Bool {
    guard start.count >= 4 else { return false }
    let magic = withBytes(of: start) { $0.bigEndian32(0) }
    if magic == 0x0A0D_0D0A || PcapMagic(magic) != nil { return true }
    return withBytes(of: start) {
        CaptureReader.isSnoop($0, at: 0) || NetworkMonitorHeader.isAt(0, in: $0) || CaptureReader.isERF($0, at: 0)
    }
}
