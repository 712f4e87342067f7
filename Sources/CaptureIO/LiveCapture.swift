import CLibpcap
public import AuthScanWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Packets from a network interface, through libpcap, as the bytes of a classic pcap file.
@safe
public final class LiveCapture {
    /// The interface's name.
    public let interface: String

    private let handle: OpaquePointer
    private let isNanoseconds: Bool

    /// The most that is captured of a packet, as with tcpdump: whole packets, however large an offload makes them.
    private static let snapshotLength: Int32 = 262_144
    /// How long the system may gather packets before it hands them over, in milliseconds.
    private static let patience: Int32 = 100

    /// Opens an interface; `any` is all of them, where the system has that.
    ///
    /// - Parameters:
    ///   - interface: The interface's name.
    ///   - filter: What the system lets pass; `nil` for everything.
    /// - Throws: `CaptureError` where there is no such interface, or the user may not capture on it.
    public init(interface: String, filter: CaptureFilter? = nil) throws(CaptureError) {
        self.interface = interface
        var words = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        // SAFETY: both strings live for the length of the call, and the second has the size that libpcap asks for.
        let created = unsafe words.withUnsafeMutableBufferPointer { buffer in
            unsafe pcap_create(interface, buffer.baseAddress)
        }
        guard let handle = unsafe created else {
            let message = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw CaptureError(path: interface, reason: .unreadable(String(decoding: message, as: UTF8.self)))
        }
        unsafe self.handle = handle
        // SAFETY: the handle was created above, and lives as long as this object.
        _ = unsafe pcap_set_snaplen(handle, LiveCapture.snapshotLength)
        _ = unsafe pcap_set_promisc(handle, 1)
        _ = unsafe pcap_set_timeout(handle, LiveCapture.patience)
        _ = unsafe pcap_set_buffer_size(handle, 1 << 24)
        _ = unsafe pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO)
        let status = unsafe pcap_activate(handle)
        isNanoseconds = unsafe pcap_get_tstamp_precision(handle) == PCAP_TSTAMP_PRECISION_NANO
        guard status >= 0 else { throw CaptureError(path: interface, reason: reason(status)) }
        if let filter, let error = unsafe filter.install(on: handle) {
            throw CaptureError(path: interface, reason: .unreadable("the filter cannot be used here: \(error)"))
        }
        // SAFETY: libpcap's own descriptor is waited for, so that no read of it needs to wait.
        words = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        _ = unsafe words.withUnsafeMutableBufferPointer { unsafe pcap_setnonblock(handle, 1, $0.baseAddress) }
    }

    // SAFETY: nothing uses the handle any more.
    deinit { unsafe pcap_close(handle) }

    /// What the status of an activation means.
    private func reason(_ status: Int32) -> CaptureError.Reason {
        switch status {
        case PCAP_ERROR_NO_SUCH_DEVICE: return .noSuchInterface(known: LiveCapture.interfaces())
        case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED: return .mayNotCapture
        default:
            // SAFETY: both strings are copied while they are valid.
            let message = unsafe String(cString: pcap_geterr(handle))
            return .unreadable(message.isEmpty ? unsafe String(cString: pcap_statustostr(status)) : message)
        }
    }

    /// The names of the interfaces that there are; empty where the system does not say.
    static func interfaces() -> [String] {
        var words = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        var list: UnsafeMutablePointer<pcap_if_t>?
        // SAFETY: libpcap fills in the list, which is freed at the end; the buffer has the size that it asks for.
        let status = unsafe words.withUnsafeMutableBufferPointer { unsafe pcap_findalldevs(&list, $0.baseAddress) }
        guard status == 0 else { return [] }
        defer { unsafe pcap_freealldevs(list) }
        var names: [String] = []
        var next = unsafe list
        // SAFETY: the list ends with a null pointer, and each name with a zero.
        while let device = unsafe next, names.count < 20 {
            unsafe names.append(String(cString: device.pointee.name))
            unsafe next = device.pointee.next
        }
        return names
    }
}

// MARK: - Packets

extension LiveCapture {
    /// The header of a pcap file with this interface's packets.
    var fileHeader: [UInt8] {
        PcapEncoding.fileHeader(
            // SAFETY: the handle lives as long as this object.
            linkType: registeredLinkType(unsafe pcap_datalink(handle)),
            snapshotLength: Int(LiveCapture.snapshotLength),
            isNanoseconds: isNanoseconds
        )
    }

    /// Waits until there are packets, for a tenth of a second at most, or until a signal comes.
    func wait() {
        // SAFETY: the handle lives as long as this object, and the structure for the length of the call.
        var descriptor = pollfd(fd: unsafe pcap_get_selectable_fd(handle), events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&descriptor, 1, LiveCapture.patience)
    }

    /// Appends the packets that there are as records of a pcap file, a megabyte or two at most.
    ///
    /// - Throws: `CaptureError` where the interface gives no more, as when it went away.
    func read(into bytes: inout [UInt8]) throws(CaptureError) {
        while bytes.count < 1 << 20 {
            var header: UnsafeMutablePointer<pcap_pkthdr>?
            var data: UnsafePointer<UInt8>?
            // SAFETY: libpcap fills in both pointers where it returns 1; what they point to stays until the next call.
            let status = unsafe pcap_next_ex(handle, &header, &data)
            if status == 0 { return }
            guard status == 1, let header = unsafe header, let data = unsafe data else {
                // SAFETY: the message lies in the handle, and is copied.
                let message = unsafe String(cString: pcap_geterr(handle))
                throw CaptureError(path: interface, reason: .unreadable(message))
            }
            let record = unsafe header.pointee
            PcapEncoding.appendRecordHeader(
                seconds: Int(record.ts.tv_sec),
                fraction: Int(record.ts.tv_usec),
                capturedLength: record.caplen,
                originalLength: record.len,
                to: &bytes
            )
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(record.caplen)))
        }
    }

    /// What the system and the interface dropped, in one sentence; `nil` where they dropped nothing.
    var loss: String? {
        var statistics = pcap_stat()
        // SAFETY: the structure is plain data that libpcap fills in.
        guard unsafe pcap_stats(handle, &statistics) == 0 else { return nil }
        let dropped = Int(statistics.ps_drop) + Int(statistics.ps_ifdrop)
        guard dropped > 0 else { return nil }
        return "\(dropped) packets were dropped before they could be read: \(statistics.ps_drop) by the system, "
            + "\(statistics.ps_ifdrop) by the interface"
    }
}
