import TestSupport

@testable import AuthScanWire

/// A capture of snoop with frames a millisecond apart, each filled up to 32 bits.
func snoop(_ frames: [[UInt8]], dataLinkType: UInt32 = 4) -> [UInt8] {
    var file = join(Array("snoop\0\0\0".utf8), bigEndian(UInt32(2)), bigEndian(dataLinkType))
    for (index, frame) in frames.enumerated() {
        let padding = [UInt8](repeating: 0, count: (4 - frame.count % 4) % 4)
        let length = UInt32(24 + frame.count + padding.count)
        file += join(bigEndian(UInt32(frame.count)), bigEndian(UInt32(frame.count)), bigEndian(length))
        file += join(bigEndian(UInt32(0)), bigEndian(UInt32(1_700_000_000)), bigEndian(UInt32(index * 1000)))
        file += frame + padding
    }
    return file
}

/// A capture in ERF with frames a millisecond apart; each Ethernet record has so many extension headers.
func erf(_ frames: [[UInt8]], type: UInt8 = 2, pad: Int = 2, extensions: Int = 0) -> [UInt8] {
    frames.enumerated().reduce(into: []) { file, item in
        let (index, frame) = item
        let content = [UInt8](repeating: 0, count: pad) + frame
        let filled = content + [UInt8](repeating: 0, count: (8 - content.count % 8) % 8)
        file += littleEndian((UInt64(index) << 32) / 1000 + 1_700_000_000 << 32)
        file += [type | (extensions > 0 ? 0x80 : 0), 4]
        file += bigEndian(UInt16(16 + 8 * extensions + filled.count))
        file += join([0, 0], bigEndian(UInt16(frame.count)))
        for number in 0..<extensions { file += [number + 1 < extensions ? 0x83 : 3, 0, 0, 0, 0, 0, 0, 0] }
        file += filled
    }
}

/// A capture of Network Monitor that began on 2023-11-14 at 22:13:20, with frames a millisecond apart.
func networkMonitor(
    _ frames: [[UInt8]],
    version: (major: UInt8, minor: UInt8),
    network: UInt16 = 1,
    listed: Int? = nil
) -> [UInt8] {
    var records: [UInt8] = []
    var offsets: [UInt8] = []
    for (index, frame) in frames.enumerated() {
        offsets += littleEndian(UInt32(128 + records.count))
        if version.major == 1 {
            records += join(littleEndian(UInt32(index)), littleEndian(UInt16(frame.count)))
            records += littleEndian(UInt16(frame.count)) + frame
            continue
        }
        records += join(littleEndian(UInt64(index * 1000)), littleEndian(UInt32(frame.count)))
        records += littleEndian(UInt32(frame.count)) + frame
        if version.minor >= 1 { records += littleEndian(network) }
        if version.minor >= 2 { records += littleEndian(UInt32(0)) }
        if version.minor >= 3 {
            records += littleEndian(UInt64(133_444_736_000_000_000 + index * 10_000)) + [0]
        }
    }
    var header = Array((version.major == 1 ? "RTSS" : "GMBU").utf8) + [version.minor, version.major]
    header += littleEndian(network)
    header += [2023, 11, 2, 14, 22, 13, 20, 0].flatMap { littleEndian(UInt16($0)) }
    header += littleEndian(UInt32(128 + records.count)) + littleEndian(UInt32((listed ?? frames.count) * 4))
    return header + [UInt8](repeating: 0, count: 128 - header.count) + records + offsets
}
