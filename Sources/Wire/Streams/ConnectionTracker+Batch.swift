import AuthScanNativeCodecs

// The segments of a batch: nearly all of them are of the usual kind.
extension ConnectionTracker {
    /// Asks for what the segments of a batch will need, so that none of them waits for its own when it is taken.
    ///
    /// Each step depends on the one before, the segments do not depend on one another. What is found is relied upon only as long as
    /// the table does not change: a segment may change it for those behind it.
    func lookUp(_ batch: inout SegmentBatch) {
        let count = batch.count
        batch.tableChanges = table.changes
        var entries = batch.entries.mutableSpan
        for index in 0..<count {
            entries[index].hash = table.hash(of: entries[index].segment)
            table.prefetch(entries[index].hash)
        }
        for index in 0..<count {
            entries[index].connection = table.first(entries[index].hash)
            connections.prefetch(Int(entries[index].connection), byteCount: Connection.livelyBytes)
        }
        for index in 0..<count where entries[index].connection >= 0 {
            streams.prefetch(Int(connections[Int(entries[index].connection)].live) &* 2)
        }
    }

    /// Takes the segments of a batch from `start` on as long as they are of the usual kind; returns the place of the first that is
    /// not.
    ///
    /// Such a segment continues both directions of its connection as they are, and changes nothing else. The tables are laid open
    /// once for all of them.
    mutating func receiveUsual(_ batch: SegmentBatch, from start: Int, into output: inout StreamOutput) -> Int {
        ConnectionTracker.receiveUsual(batch, from: start, table, &connections, &streams, into: &output)
    }

    private static func receiveUsual(
        _ batch: SegmentBatch,
        from start: Int,
        _ table: ConnectionTable,
        _ connections: inout [Connection],
        _ streams: inout [StreamState],
        into output: inout StreamOutput
    ) -> Int {
        let entries = batch.entries.span
        var connections = connections.mutableSpan
        var streams = streams.mutableSpan
        let isLookUpValid = batch.tableChanges == table.changes
        for place in start..<batch.count {
            let index = Int(isLookUpValid ? entries[place].connection : table.first(entries[place].hash))
            guard index >= 0, let direction = connections[index].direction(of: entries[place].segment) else {
                return place
            }
            let live = Int(connections[index].live)
            let stream = live &* 2 &+ Int(direction.rawValue)
            guard live >= 0, entries[place].segment.isUsual,
                streams[stream].isContinued(by: entries[place].segment), streams[stream ^ 1].isFreeOfHoles
            else { return place }
            streams[stream ^ 1].acknowledge(SequenceNumber(entries[place].segment.acknowledgement))
            connections[index].notePacket(entries[place].packet, entries[place].time, from: direction)
            connections[index].note(process: entries[place].segment.process)
            let count = entries[place].segment.payloadCount
            if count == 0 { continue }
            streams[stream].advance(by: count)
            connections[index].notePayload(count, from: direction)
            var step = Step(
                connections[index],
                stream: stream,
                packet: entries[place].packet,
                time: entries[place].time
            )
            step.acknowledgement = SequenceNumber(entries[place].segment.acknowledgement)
            let start = entries[place].start &+ entries[place].segment.payloadStart
            let content = StreamChunk.Content(buffer: output.source.buffer, start: start, count: count)
            output.append(step.chunk(content, SequenceNumber(entries[place].segment.sequence)))
        }
        return batch.count
    }
}
