#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
public import AuthScanWire

/// The captures that a path stands for: itself, or those in the directory that it names, in the order of their names.
///
/// What is no capture by its content is left out of a directory; what may not be read stays in, so that it is named.
///
/// - Throws: `CaptureError` where a directory cannot be read or holds no capture.
public func captures(at path: String) throws(CaptureError) -> [String] {
    guard let names = fileNames(in: path) else { return [path] }
    let folder = path.hasSuffix("/") ? path : path + "/"
    var captures: [String] = []
    for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        do throws(CaptureError) {
            let source = try CaptureSource(path: folder + name)
            var block: [UInt8] = []
            try source.read(into: &block)
            if isCapture(startingWith: block) { captures.append(folder + name) }
        } catch {
            if error.reason != .isDirectory { captures.append(folder + name) }
        }
    }
    guard !captures.isEmpty else { throw CaptureError(path: path, reason: .noCaptures) }
    return captures
}

/// The names in a directory but for hidden ones, and for what is neither file nor link; `nil` where the path names none.
private func fileNames(in path: String) -> [String]? {
    // SAFETY: the path is passed as a C string that lives for the length of the call.
    guard path != "-", let directory = unsafe opendir(path) else { return nil }
    // SAFETY: the directory was opened above, and is used until it is closed here.
    defer { unsafe closedir(directory) }
    var names: [String] = []
    // SAFETY: an entry stays valid until the next call, and its name, which ends with a zero, is copied at once.
    while let entry = unsafe readdir(directory) {
        let kind = unsafe Int32(entry.pointee.d_type)
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
            unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        // Pipes and devices would wait for somebody to write.
        let isFile = kind == Int32(DT_REG) || kind == Int32(DT_LNK) || kind == Int32(DT_UNKNOWN)
        if isFile, !name.hasPrefix(".") { names.append(name) }
    }
    return names
}
