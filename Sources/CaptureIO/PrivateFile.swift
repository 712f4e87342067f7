#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Opens a file to be written anew, and sees to it that only its owner may read it: reports and packets hold user names, hosts and
/// credentials.
///
/// A device or a pipe, such as `/dev/null`, belongs to all, and stays as open to others as it is.
///
/// - Returns: The descriptor, which the caller closes; negative where the file cannot be written, and `errno` says why.
public func openPrivately(path: String) -> Int32 {
    // SAFETY: the path is passed as a C string that lives for the length of the call.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0, !makePrivate(descriptor) else { return descriptor }
    let number = errno
    close(descriptor)
    errno = number
    return -1
}

/// Whether nobody but its owner may read an open file, or nobody could.
private func makePrivate(_ descriptor: Int32) -> Bool {
    var status = stat()
    // SAFETY: the structure is plain data that fstat fills in.
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFREG else { return true }
    // The mode of open(2) holds for a new file alone; an old one may have been open to others, and some file systems have no modes.
    return fchmod(descriptor, 0o600) == 0 || errno == EPERM || errno == EINVAL
}
