import AuthScanSchemes
import AuthScanSessions

/// The schemes of which a client sent credentials.
///
/// The schemes with a decoder are one bit each: they are all that most captures have.
struct UsedSchemes: Sendable {
    private var kinds: UInt8 = 0
    private var others: Set<AuthenticationScheme> = []

    /// No schemes.
    init() {}

    /// The schemes of a session.
    init(in session: ClientSession) {
        for kind in AuthenticationScheme.Kind.allCases where session.tally.contains(kind) {
            kinds |= UsedSchemes.bit(of: kind) ?? 0
        }
        guard session.tally.contains(.other) else { return }
        others = Set(session.exchanges.lazy.map(\.scheme).filter { $0.kind == .other })
    }

    /// Adds a scheme.
    mutating func insert(_ scheme: AuthenticationScheme) {
        if let bit = UsedSchemes.bit(of: scheme.kind) { kinds |= bit } else { others.insert(scheme) }
    }

    /// Adds the schemes of another set.
    mutating func formUnion(_ other: UsedSchemes) {
        kinds |= other.kinds
        if !other.others.isEmpty { others.formUnion(other.others) }
    }

    /// Whether the client sent credentials of a scheme.
    func contains(_ scheme: AuthenticationScheme) -> Bool {
        UsedSchemes.bit(of: scheme.kind).map { kinds & $0 != 0 } ?? others.contains(scheme)
    }

    /// Whether the client sent credentials of none of some schemes.
    func isDisjoint(with schemes: [AuthenticationScheme]) -> Bool { !schemes.contains { contains($0) } }

    /// The bit of a kind that has one scheme alone; `nil` for `.other`.
    private static func bit(of kind: AuthenticationScheme.Kind) -> UInt8? { kind == .other ? nil : kind.bit }
}
