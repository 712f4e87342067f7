/// The bytes of a classic pcap file, least significant byte first.
///
/// - Source: draft-ietf-opsawg-pcap §4 and §5.
enum PcapEncoding {
    static func fileHeader(linkType: UInt16, snapshotLength: Int, isNanoseconds: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        append(isNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4, to: &bytes)
        bytes += [2, 0, 4, 0]
        append(0, to: &bytes)
        append(0, to: &bytes)
        append(UInt32(clamping: snapshotLength), to: &bytes)
        append(UInt32(linkType), to: &bytes)
        return bytes
    }

    /// The header of a record, whose bytes follow.
    static func appendRecordHeader(
        seconds: Int,
        fraction: Int,
        capturedLength: UInt32,
        originalLength: UInt32,
        to bytes: inout [UInt8]
    ) {
        append(UInt32(clamping: seconds), to: &bytes)
        append(UInt32(clamping: fraction), to: &bytes)
        append(capturedLength, to: &bytes)
        append(originalLength, to: &bytes)
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
    }
}
