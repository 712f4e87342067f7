/// Stretches or folds octets to another length.
///
/// - Source: RFC 3961 §5.1.
func nFold(_ octets: [UInt8], to count: Int) -> [UInt8] {
    guard !octets.isEmpty, count > 0 else { return [] }
    let length = lcm(octets.count, count)
    let bits = octets.count * 8
    var sum = [Int](repeating: 0, count: count)
    // Each copy is rotated by 13 bits more than the one before; all are added in ones' complement.
    for position in 0..<length {
        let rotation = 13 * (position / octets.count) % bits
        var octet = 0
        for bit in 0..<8 {
            let source = ((position % octets.count) * 8 + bit + bits - rotation) % bits
            octet = octet << 1 | Int(octets[source / 8] >> UInt8(7 - source % 8) & 1)
        }
        sum[position % count] += octet
    }
    return withEndAroundCarry(sum)
}

private func withEndAroundCarry(_ sum: [Int]) -> [UInt8] {
    var sum = sum
    var carry = 0
    repeat {
        for index in sum.indices.reversed() {
            let value = sum[index] + carry
            sum[index] = value & 0xFF
            carry = value >> 8
        }
    } while carry > 0
    return sum.map { UInt8($0) }
}

private func lcm(_ left: Int, _ right: Int) -> Int {
    var (a, b) = (left, right)
    while b != 0 { (a, b) = (b, a % b) }
    return left / a * right
}
