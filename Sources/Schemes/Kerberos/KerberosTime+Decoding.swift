import AuthScanBytes

extension KerberosTime {
    /// Decodes fifteen octets: `YYYYMMDDhhmmssZ`.
    ///
    /// - Source: RFC 4120 §5.2.3: "MUST NOT include any fractional portions of the seconds", "the only valid form is …".
    init(decoding node: DERNode, as field: String) throws(DecodeError) {
        guard node.tag == .generalizedTime, Self.hasForm(Array(node.contents)) else {
            throw node.wrong("is no KerberosTime", field)
        }
        guard let time = KerberosTime(text: String(decoding: node.contents, as: UTF8.self)) else {
            throw node.wrong("is no time of the calendar", field)
        }
        self = time
    }

    /// Reads the same from text; `nil` for another form, and for what is no time of the calendar.
    public init?(text: String) {
        let octets = Array(text.utf8)
        guard Self.hasForm(octets) else { return nil }
        func number(_ range: Range<Int>) -> Int { octets[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        let (year, month, day) = (number(0..<4), number(4..<6), number(6..<8))
        let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        self.text = text
        secondsSinceEpoch = Int64(Self.days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    private static func hasForm(_ octets: [UInt8]) -> Bool {
        octets.count == 15 && octets[14] == UInt8(ascii: "Z") && octets[..<14].allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Days since 1970-01-01 in the Gregorian calendar, by years that start in March.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let monthsSinceMarch = (month + 9) % 12
        let dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1
        // 719_468 days lie between 0000-03-01 and 1970-01-01; years here are never negative but for -1.
        let leapDays = marchYear >= 0 ? marchYear / 4 - marchYear / 100 + marchYear / 400 : -1
        return marchYear * 365 + leapDays + dayOfYear - 719_468
    }
}
