import AuthScanBytes
import AuthScanNativeCodecs

extension KerberosKey {
    /// KRB-FX-CF2: one key made of two, which nobody can make who does not know both.
    ///
    /// - Source: RFC 6113 §5.1.
    static func combination(
        of first: KerberosKey,
        _ firstPepper: String,
        _ second: KerberosKey,
        _ secondPepper: String
    ) -> KerberosKey? {
        let left = first.stretched(firstPepper, to: first.value.count)
        let right = second.stretched(secondPepper, to: first.value.count)
        return KerberosKey(first.etype, zip(left, right).map { $0 ^ $1 })
    }

    /// PRF+: pseudo-random octets, as many as are wanted.
    private func stretched(_ text: String, to count: Int) -> [UInt8] {
        var octets: [UInt8] = []
        for number in UInt8(1)...8 where octets.count < count {
            octets += pseudoRandom([number] + Array(text.utf8))
        }
        return Array(octets.prefix(count))
    }
}
