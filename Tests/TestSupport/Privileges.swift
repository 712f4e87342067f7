#if canImport(Glibc)
    import Glibc

    /// Sets the user that file accesses of the calling thread are checked for; returns the one before.
    ///
    /// The C library's module does not have it (sys/fsuid.h).
    @_silgen_name("setfsuid")
    private func setFileSystemUser(_ user: uid_t) -> CInt

    /// Runs the body as a user who may read only what all may read, even where the superuser runs the tests.
    ///
    /// Only the calling thread gives up its privileges: the other tests keep theirs.
    @discardableResult
    public func withoutPrivileges<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard getuid() == 0 else { return try body() }
        _ = setFileSystemUser(65534)
        defer { _ = setFileSystemUser(0) }
        return try body()
    }
#else
    /// Runs the body; nobody runs the tests as the superuser here.
    @discardableResult
    public func withoutPrivileges<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
#endif
