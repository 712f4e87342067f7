#if canImport(Darwin)
    import Darwin
#else
    import Glibc

    // The C library's module leaves out what only X/Open asks for (stdlib.h).

    @_silgen_name("posix_openpt")
    private func posix_openpt(_ flags: CInt) -> CInt

    @_silgen_name("grantpt")
    private func grantpt(_ descriptor: CInt) -> CInt

    @_silgen_name("unlockpt")
    private func unlockpt(_ descriptor: CInt) -> CInt

    @_silgen_name("ptsname")
    private func ptsname(_ descriptor: CInt) -> UnsafeMutablePointer<CChar>?
#endif
import Foundation

/// A terminal without a screen: what is printed on it can be read.
final class Terminal {
    private struct Unavailable: Error {}

    private let user: CInt

    /// The end that a program takes for a terminal.
    let program: FileHandle

    init() throws {
        user = posix_openpt(O_RDWR | O_NOCTTY)
        guard user >= 0, grantpt(user) == 0, unlockpt(user) == 0,
            // SAFETY: ptsname returns a string that stays valid until its next call; it is used at once.
            let name = unsafe ptsname(user).map({ unsafe String(cString: $0) })
        else { throw Unavailable() }
        // SAFETY: the path is passed as a C string that lives for the length of the call.
        let descriptor = unsafe open(name, O_RDWR | O_NOCTTY)
        guard descriptor >= 0, fcntl(user, F_SETFL, O_NONBLOCK) == 0 else { throw Unavailable() }
        program = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { close(user) }

    /// What was printed since the last time.
    var printed: String {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            // SAFETY: read(2) writes at most as many bytes as the buffer has.
            let count = unsafe block.withUnsafeMutableBytes { unsafe read(user, $0.baseAddress, $0.count) }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += block[..<count]
        }
    }
}
