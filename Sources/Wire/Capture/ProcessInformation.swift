import AuthScanBytes

/// The process whose socket a packet went through, as a capture taken on its machine says.
public struct ProcessInformation: Hashable, Sendable {
    /// One process.
    public struct Process: Hashable, Sendable {
        /// Its name, which the system cuts (to 16 bytes on Apple's); `nil` where the capture has none.
        public let name: String?

        /// Its process id; `nil` where the capture has none.
        public let id: Int?

        /// States a process.
        public init(name: String?, id: Int?) {
            self.name = name
            self.id = id
        }
    }

    /// The process that owns the socket: `com.apple.WebKit.Networking` for a web view.
    public let process: Process

    /// The *effective* process, on whose behalf the other one acts: the app around a web view; `nil` where it is the same.
    public let effective: Process?

    /// States who sent or received a packet.
    public init(process: Process, effective: Process?) {
        self.process = process
        self.effective = effective
    }
}

/// The processes that were met, found again without making anything new for each packet.
struct ProcessTable {
    /// A process as a packet names it.
    struct Entry: Hashable {
        /// Its id; 0 and below stand for none.
        var id: Int32
        private var first: UInt64 = 0
        private var second: UInt64 = 0
        private var third: UInt64 = 0
        private var count: UInt8 = 0

        init(id: Int32) { self.id = id }

        /// Appends a byte of the name, of which the first `nameLength` are kept.
        mutating func append(_ byte: UInt8) {
            guard count < ProcessTable.nameLength else { return }
            third = third << 8 | second >> 56
            second = second << 8 | first >> 56
            first = first << 8 | UInt64(byte)
            count += 1
        }

        fileprivate var name: [UInt8] {
            (0..<Int(count)).reversed().map { position in
                let word = position < 8 ? first : position < 16 ? second : third
                return UInt8(truncatingIfNeeded: word >> UInt64(position % 8 * 8))
            }
        }

        fileprivate var isNone: Bool { id <= 0 && count == 0 }

        fileprivate var process: ProcessInformation.Process {
            let text = withBytes(of: name) { $0.text }
            return ProcessInformation.Process(name: text.isEmpty ? nil : text, id: id > 0 ? Int(id) : nil)
        }
    }

    private struct Pair: Hashable {
        let own: Entry
        let effective: Entry
    }

    /// How many bytes of a name are kept.
    static let nameLength = 24

    /// The processes; number *n* is at index *n* − 1.
    private(set) var processes: [ProcessInformation] = []
    private var numbers: [Pair: UInt32] = [:]
    private var numbersOfDescriptions: [ProcessInformation: UInt32] = [:]
    private var latest: (pair: Pair, number: UInt32)?
    private let limit: Int

    init(limits: Limits) { limit = limits.processes }

    /// The number of a process; 0 for none, and for those beyond the limit.
    mutating func number(of own: Entry, onBehalfOf effective: Entry) -> UInt32 {
        guard !own.isNone || !effective.isNone else { return 0 }
        let pair = Pair(own: own.isNone ? effective : own, effective: effective.isNone ? own : effective)
        if let latest, latest.pair == pair { return latest.number }
        let number = numbers[pair] ?? add(pair)
        latest = (pair, number)
        return number
    }

    private mutating func add(_ pair: Pair) -> UInt32 {
        let effective = pair.own == pair.effective ? nil : pair.effective.process
        let number = number(of: ProcessInformation(process: pair.own.process, effective: effective))
        if number > 0 { numbers[pair] = number }
        return number
    }

    /// The number of a process that is described in full.
    mutating func number(of information: ProcessInformation) -> UInt32 {
        if let known = numbersOfDescriptions[information] { return known }
        guard processes.count < limit else { return 0 }
        processes.append(information)
        numbersOfDescriptions[information] = UInt32(processes.count)
        return UInt32(processes.count)
    }
}
