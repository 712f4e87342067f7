extension ObjectIdentifier {
    /// Decodes contents octets; `nil` for none, a cut arc, or an arc above 2³².
    ///
    /// - Source: ITU-T X.690 §8.19.
    init?(contents: ArraySlice<UInt8>) {
        guard (1...64).contains(contents.count) else { return nil }
        var arcs: [UInt64] = []
        var arc: UInt64 = 0
        var isInside = false
        for octet in contents {
            arc = arc << 7 | UInt64(octet & 0x7F)
            guard arc <= UInt64(UInt32.max) else { return nil }
            isInside = octet & 0x80 != 0
            if !isInside {
                // §8.19.4: the first subidentifier holds the first two arcs.
                arcs += arcs.isEmpty ? [min(arc / 40, 2), arc - 40 * min(arc / 40, 2)] : [arc]
                arc = 0
            }
        }
        guard !isInside else { return nil }
        rawValue = arcs.map(String.init).joined(separator: ".")
    }
}
