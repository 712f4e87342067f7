import AuthScanSessions
import AuthScanWire

/// What a capture lacks, in numbers: each of it lowers what rules may conclude.
struct Lack: Equatable {
    /// Bytes of streams that were not captured.
    var missingBytes = 0
    /// In how many places.
    var gaps = 0
    /// Packets that were cut by the snapshot length.
    var truncatedPackets = 0
    /// Connections of which only one side was captured.
    var oneSidedConnections = 0
    /// Connections that began before the capture.
    var missingStarts = 0
    /// Requests without an answer, and answers without a request.
    var unansweredRequests = 0
    var missingRequests = 0

    /// Nothing.
    init() {}

    /// What some connections lack.
    init(_ connections: ArraySlice<Connection>) {
        for index in connections.indices {
            if !connections[index].gaps.isEmpty { add(connections[index].gaps) }
            if connections[index].isOneSided { oneSidedConnections += 1 }
            if !connections[index].startSeen { missingStarts += 1 }
        }
    }

    private mutating func add(_ gaps: [Gap]) {
        self.gaps += gaps.count
        missingBytes += gaps.reduce(0) { $0 + $1.bytes }
    }

    /// Adds what other connections and transactions lack.
    mutating func add(_ other: Lack) {
        missingBytes += other.missingBytes
        gaps += other.gaps
        truncatedPackets += other.truncatedPackets
        oneSidedConnections += other.oneSidedConnections
        missingStarts += other.missingStarts
        unansweredRequests += other.unansweredRequests
        missingRequests += other.missingRequests
    }

    /// What is not zero, in words; `nil` where nothing lacks.
    var words: String? {
        let items = [
            gaps > 0 ? "\(counted(missingBytes, "byte")) in \(counted(gaps, "gap"))" : nil,
            item(truncatedPackets, "packet", "cut"), item(oneSidedConnections, "connection", "seen from one side"),
            item(missingStarts, "connection", "without the start"),
            item(unansweredRequests, "request", "without an answer"),
            item(missingRequests, "answer", "without a request"),
        ].compactMap { $0 }
        return items.isEmpty ? nil : items.joined(separator: ", ")
    }

    private func item(_ count: Int, _ noun: String, _ what: String) -> String? {
        count > 0 ? "\(counted(count, noun)) \(what)" : nil
    }
}
