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

    init(_ report: Report) {
        truncatedPackets = report.capture.truncatedPackets
        for connection in report.capture.connections {
            gaps += connection.gaps.count
            missingBytes += connection.gaps.reduce(0) { $0 + $1.bytes }
            if connection.isOneSided { oneSidedConnections += 1 }
            if !connection.startSeen { missingStarts += 1 }
        }
        // By index: a loop over the elements would count references to each.
        let transactions = report.sessions.transactions
        for index in transactions.indices {
            if transactions[index].status == nil { unansweredRequests += 1 }
            if transactions[index].requestPacket == nil { missingRequests += 1 }
        }
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
