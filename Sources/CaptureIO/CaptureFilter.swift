import CLibpcap
public import AuthScanWire

/// An expression that is none of the filter language; the message is libpcap's.
public struct FilterError: Error, Hashable, Sendable {
    /// What libpcap says about the expression.
    public let message: String
}

/// A filter in tcpdump's language, compiled by libpcap for each link type that it meets.
///
/// It looks at a frame as tcpdump would: at the outer headers, not into tunnels, and at each IP fragment by itself.
public final class CaptureFilter: FrameFilter {
    /// The expression as the user wrote it.
    public let expression: String
    private var programs: [UInt16: Result<FilterProgram, FilterError>] = [:]
    private var latest: (linkType: UInt16, program: FilterProgram)?

    /// Compiles an expression.
    ///
    /// - Throws: `FilterError` where it is wrong for every kind of link.
    public init(_ expression: String) throws(FilterError) {
        self.expression = expression
        // Some expressions have a meaning for one kind of link alone; what is wrong for all of these is wrong.
        let (ethernet, wireless, raw): (UInt16, UInt16, UInt16) = (1, 127, 101)
        guard case .failure(let error) = program(for: ethernet) else { return }
        for linkType in [wireless, raw] { if case .success = program(for: linkType) { return } }
        throw error
    }

    /// Runs the filter on a frame.
    public func verdict(on bytes: RawSpan, linkType: UInt16, originalLength: Int) -> FrameVerdict {
        let program: FilterProgram
        if let latest, latest.linkType == linkType {
            program = latest.program
        } else {
            switch self.program(for: linkType) {
            case .success(let compiled): program = compiled
            case .failure(let error): return .inapplicable(error.message)
            }
            latest = (linkType, program)
        }
        return program.matches(bytes, originalLength: originalLength) ? .pass : .drop
    }

    /// Has the system apply the filter on an interface; returns libpcap's message where that cannot be.
    func install(on handle: OpaquePointer) -> String? {
        // SAFETY: the caller's handle is open for the length of the call.
        let linkType = unsafe registeredLinkType(pcap_datalink(handle))
        switch program(for: linkType) {
        case .failure(let error): return error.message
        case .success(let program): return unsafe program.install(on: handle)
        }
    }

    private func program(for linkType: UInt16) -> Result<FilterProgram, FilterError> {
        if let known = programs[linkType] { return known }
        let result: Result<FilterProgram, FilterError>
        do throws(FilterError) {
            result = .success(try FilterProgram(expression, linkType: linkType))
        } catch {
            result = .failure(error)
        }
        programs[linkType] = result
        return result
    }
}

/// A compiled filter, which it owns.
@safe
private final class FilterProgram {
    // SAFETY: an empty program; nothing but libpcap looks into it, and it is freed with this object.
    private var program = unsafe bpf_program()

    init(_ expression: String, linkType: UInt16) throws(FilterError) {
        // SAFETY: a handle without a device; it is used until it is closed.
        guard let handle = unsafe pcap_open_dead(systemLinkType(linkType), 262_144) else {
            throw FilterError(message: "out of memory")
        }
        // SAFETY: the handle was opened above.
        defer { unsafe pcap_close(handle) }
        // SAFETY: the expression is a C string for the length of the call; the program is filled in where it returns 0.
        guard unsafe pcap_compile(handle, &program, expression, 1, UInt32.max) == 0 else {
            // SAFETY: the message lies in the handle, and is copied.
            throw FilterError(message: unsafe String(cString: pcap_geterr(handle)))
        }
    }

    // SAFETY: the program was filled in by pcap_compile, or is empty, which frees nothing.
    deinit { unsafe pcap_freecode(&program) }

    func install(on handle: OpaquePointer) -> String? {
        // SAFETY: the handle is open, and copies the program; its message is copied.
        unsafe pcap_setfilter(handle, &program) == 0 ? nil : unsafe String(cString: pcap_geterr(handle))
    }

    func matches(_ bytes: RawSpan, originalLength: Int) -> Bool {
        var header = pcap_pkthdr()
        header.caplen = UInt32(clamping: bytes.byteCount)
        header.len = UInt32(clamping: originalLength)
        // SAFETY: libpcap reads no further than the captured length, which is that of the buffer.
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe pcap_offline_filter(&program, &header, start.assumingMemoryBound(to: UInt8.self)) != 0
        }
    }
}
