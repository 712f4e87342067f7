/// Where the packets of a capture that was merged from several files lie in those files.
///
/// Kept as runs of packets that follow each other in one file: the parts of a ring buffer have one run each.
public struct PacketPlaces: Sendable {
    /// A packet's place.
    public struct Place: Hashable, Sendable {
        /// The file's path as the user gave it.
        public let file: String

        /// The packet's number in the file, counted from 1.
        public let packet: Int
    }

    private struct Run {
        let number: UInt32
        let packet: UInt32
        let file: UInt32
    }

    private var runs: [Run] = []
    /// The number behind the last packet that has a place.
    private var end = 1
    private let limit: Int

    /// The files' paths, by the numbers that they have among the places.
    var paths: [String] = []

    /// How many packets came behind the limit, and have no place.
    private(set) var packetsLeftOut = 0

    /// No places, as in a capture of one file.
    init(limit: Int = 0) { self.limit = limit }

    /// Whether nothing is known: there is one file, whose packets have the numbers of the capture.
    public var isEmpty: Bool { runs.isEmpty }

    /// Notes where the next packet of the capture lies.
    mutating func note(_ number: Int, file: Int, packet: Int) {
        if let last = runs.last, packetsLeftOut == 0, Int(last.file) == file,
            number - Int(last.number) == packet - Int(last.packet)
        {
            end = number + 1
            return
        }
        guard runs.count < limit, packetsLeftOut == 0, number < UInt32.max, packet < UInt32.max else {
            packetsLeftOut += 1
            return
        }
        end = number + 1
        runs.append(Run(number: UInt32(number), packet: UInt32(packet), file: UInt32(file)))
    }

    /// Where a packet lies; `nil` where that is not known.
    public func place(of number: Int) -> Place? {
        var range = 0..<runs.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            if Int(runs[middle].number) <= number {
                range = (middle + 1)..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        guard range.lowerBound > 0, number < end else { return nil }
        let run = runs[range.lowerBound - 1]
        guard paths.indices.contains(Int(run.file)) else { return nil }
        return Place(file: paths[Int(run.file)], packet: Int(run.packet) + number - Int(run.number))
    }
}
