import AuthScanSchemes

/// The kinds of some schemes, one bit each.
struct SchemeKinds {
    private var bits: UInt8 = 0

    /// No kinds.
    init() {}

    init(_ schemes: [AuthenticationScheme]) { for scheme in schemes { insert(scheme.kind) } }

    func contains(_ kind: AuthenticationScheme.Kind) -> Bool { bits & kind.bit != 0 }

    mutating func insert(_ kind: AuthenticationScheme.Kind) { bits |= kind.bit }

    mutating func formUnion(_ other: SchemeKinds) { bits |= other.bits }

    /// Whether schemes of these kinds include all that are of the kinds of others: of every kind but the last there is one scheme.
    func coversAllSchemes(of others: SchemeKinds) -> Bool {
        others.bits & ~bits == 0 && !others.contains(.other)
    }
}
