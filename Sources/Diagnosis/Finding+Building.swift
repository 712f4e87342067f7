import AuthScanSessions
import AuthScanWire

extension RulePage {
    /// A finding of this rule about some transactions, the decisive one first.
    ///
    /// The decisive packet is the request's or the response's, as `decisive` says; then come packets that carry neither, and
    /// the others in order.
    func finding(
        _ message: String,
        at decisive: DecisivePacket,
        in transactions: [Transaction],
        beside others: [Int] = [],
        severity: Severity? = nil,
        confidence: Confidence = .certain,
        step: ChainStep? = nil
    ) -> Finding {
        var packets: [Int] = []
        packets.reserveCapacity(RulePage.maximumPackets)
        packets.append(decisive.packet)
        for packet in others where !packets.contains(packet) { packets.append(packet) }
        for index in transactions.indices {
            if packets.count >= RulePage.maximumPackets { break }
            let transaction = transactions[index]
            if let packet = transaction.requestPacket, !packets.contains(packet) { packets.append(packet) }
            if let packet = transaction.responsePacket, !packets.contains(packet) { packets.append(packet) }
        }
        return Finding(
            rule: id,
            severity: severity ?? self.severity,
            confidence: confidence,
            message: message,
            packets: packets.count <= RulePage.maximumPackets
                ? packets : Array(packets.prefix(RulePage.maximumPackets)),
            transactions: numbers(of: transactions),
            connections: connections(of: transactions),
            step: step
        )
    }

    /// The numbers of some transactions in ascending order; mostly they come in that order.
    private func numbers(of transactions: [Transaction]) -> [Int] {
        var numbers: [Int] = []
        numbers.reserveCapacity(transactions.count)
        var isInOrder = true
        for index in transactions.indices {
            let number = transactions[index].number
            if let last = numbers.last, last > number { isInOrder = false }
            numbers.append(number)
        }
        return isInOrder ? numbers : numbers.sorted()
    }

    /// The numbers of the connections of some transactions in ascending order, each once.
    private func connections(of transactions: [Transaction]) -> [Int] {
        var numbers: [Int] = []
        // Few connections carry many transactions.
        numbers.reserveCapacity(min(transactions.count, 4))
        var isInOrder = true
        for index in transactions.indices {
            let number = transactions[index].connection
            if let last = numbers.last {
                if last == number { continue }
                if last > number { isInOrder = false }
            }
            numbers.append(number)
        }
        return isInOrder ? numbers : numbers.sortedAndUniqued
    }

    /// A finding of this rule about connections on which no application was heard, the decisive packet first.
    func finding(
        _ message: String,
        on connections: [Connection],
        packets: [Int],
        severity: Severity? = nil,
        confidence: Confidence = .certain
    ) -> Finding {
        Finding(
            rule: id,
            severity: severity ?? self.severity,
            confidence: confidence,
            message: message,
            packets: Array(packets.prefix(RulePage.maximumPackets)),
            transactions: [],
            connections: connections.map(\.number).sortedAndUniqued
        )
    }

    /// How many packets a finding names at most: enough to look at, few enough to read.
    private static let maximumPackets = 12
}

extension [Int] {
    /// Each number once, in ascending order.
    fileprivate var sortedAndUniqued: [Int] {
        sorted().reduce(into: []) { numbers, number in
            if numbers.last != number { numbers.append(number) }
        }
    }
}

/// The packet that decides a finding.
enum DecisivePacket {
    /// The packet that completed the request's head.
    case request(Transaction)
    /// The packet that completed the response's head; the request's where no response was captured.
    case response(Transaction)
    /// Another packet, such as the one that ends a connection.
    case packet(Int)

    var packet: Int {
        switch self {
        case .packet(let packet): packet
        case .request(let transaction): transaction.packet
        case .response(let transaction): transaction.responsePacket ?? transaction.packet
        }
    }
}
