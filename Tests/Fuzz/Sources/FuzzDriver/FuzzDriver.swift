public import FuzzTargets

/// The target that this process fuzzes; set once, before libFuzzer starts.
nonisolated(unsafe) private var current: FuzzTarget?

/// Hands one input to the target: the function that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    // SAFETY: libFuzzer guarantees `count` readable bytes at `start` for the length of the call.
    unsafe current?.run([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    return 0
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argc: UnsafeMutablePointer<CInt>,
    _ argv: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafeRawPointer?, Int) -> CInt
) -> CInt

/// Runs libFuzzer on one target, with the arguments of the command line; returns its exit status.
public func drive(
    _ target: FuzzTarget,
    _ argc: CInt,
    _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    unsafe current = target
    var argc = argc
    var argv = unsafe argv
    // SAFETY: the arguments are those that the system handed to the process.
    return unsafe runDriver(&argc, &argv) { unsafe fuzzOneInput($0, $1) }
}
