import FuzzDriver

/// The package manager renames an executable's main function after its target.
@_cdecl("FuzzTLS_main")
public func main(_ argc: CInt, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    unsafe drive(.tls, argc, argv)
}
