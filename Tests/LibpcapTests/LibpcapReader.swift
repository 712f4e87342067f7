import CLibpcap

/// A packet as libpcap reads it.
struct LibpcapPacket: Equatable {
    var seconds: UInt32
    /// In the unit of the file.
    var fraction: UInt32
    var originalLength: Int
    var bytes: [UInt8]
}

/// A classic file as libpcap reads it.
struct LibpcapCapture {
    var snapshotLength: Int
    /// The registered number of the link type; libpcap names some by the system's own numbers.
    var linkType: Int32
    var packets: [LibpcapPacket] = []
    /// What libpcap says about the place where it gave up; `nil` where it came to the end.
    var failure: String?

    /// Reads a file; `nil` where libpcap refuses it.
    ///
    /// Time stamps are asked for in nanoseconds, so that none is rounded; those of a file in microseconds are multiples of
    /// a thousand then.
    init?(path: String, isNanoseconds: Bool) {
        var words = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        // SAFETY: both strings live for the length of the call, and the second has the size that libpcap asks for.
        let opened = unsafe words.withUnsafeMutableBufferPointer { buffer in
            unsafe pcap_open_offline_with_tstamp_precision(path, UInt32(PCAP_TSTAMP_PRECISION_NANO), buffer.baseAddress)
        }
        guard let handle = unsafe opened else { return nil }
        // SAFETY: the handle was opened above, and is used until it is closed at the end.
        defer { unsafe pcap_close(handle) }
        snapshotLength = Int(unsafe pcap_snapshot(handle))
        linkType = unsafe pcap_datalink(handle)
        while true {
            var header: UnsafeMutablePointer<pcap_pkthdr>?
            var data: UnsafePointer<UInt8>?
            // SAFETY: libpcap fills in both pointers where it returns 1; what they point to stays until the next call.
            let status = unsafe pcap_next_ex(handle, &header, &data)
            guard status == 1, let header = unsafe header, let data = unsafe data else {
                failure = status == -2 ? nil : unsafe String(cString: pcap_geterr(handle))
                return
            }
            let record = unsafe header.pointee
            let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: Int(record.caplen)))
            let fraction = isNanoseconds ? record.ts.tv_usec : record.ts.tv_usec / 1000
            packets.append(
                LibpcapPacket(
                    seconds: UInt32(truncatingIfNeeded: record.ts.tv_sec),
                    fraction: UInt32(truncatingIfNeeded: fraction),
                    originalLength: Int(record.len),
                    bytes: bytes
                )
            )
        }
    }
}
