import FuzzDriver

/// The package manager renames an executable's main function after its target.
@_cdecl("FuzzHTTP2_main")
public func main(_ argc: CInt, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    unsafe drive(.http2, argc, argv)
}
