import FuzzDriver

/// The package manager renames an executable's main function after its target.
@_cdecl("FuzzKeyLog_main")
public func main(_ argc: CInt, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    unsafe drive(.keyLog, argc, argv)
}
