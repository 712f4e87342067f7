/// Where an auth-param of an ordinary field value lies: its text is made when it is asked for.
struct ParameterPlace: Sendable {
    /// Where the name starts, in bytes from the start of the field value.
    let nameStart: UInt32
    /// Where the value starts, its quote aside, in bytes from the start of the field value.
    let valueStart: UInt32
    /// The length of the value, in bytes.
    let valueCount: UInt32
    /// The length of the name, in bytes.
    let nameCount: UInt8
    /// Whether the value is a quoted-string.
    let isQuoted: Bool
    /// What the name is; `nil` for one that is not told apart.
    let known: KnownParameter?

    /// The longest field value whose places can be stated, in bytes.
    static let longestField = Int(UInt32.max)
    /// The longest name whose place can be stated, in bytes.
    static let longestName = Int(UInt8.max)

    /// The indices of the name in octets that start at `start`.
    func name(from start: Int) -> Range<Int> {
        let first = start + Int(nameStart)
        return first..<(first + Int(nameCount))
    }

    /// The indices of the value in octets that start at `start`.
    func value(from start: Int) -> Range<Int> {
        let first = start + Int(valueStart)
        return first..<(first + Int(valueCount))
    }
}
