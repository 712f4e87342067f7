extension ConnectionTracker {
    /// States that the next `count` bytes are missing.
    mutating func declareGap(_ count: Int, _ step: Step, into output: inout StreamOutput) {
        output.append(step.chunk(.gap(count), streams[step.stream].next))
        streams[step.stream].next = streams[step.stream].next.advanced(by: count)
        streams[step.stream].flags.insert(.hasDelivered)
        guard gaps.count < ConnectionTracker.gapLimit else {
            gapsLeftOut += 1
            return
        }
        gaps.append((step.connection, step.direction, count, step.packet))
    }

    /// Where the hole that a stream waits at ends: at what waits behind it, or at its FIN; `nil` where it waits at none.
    func holeEnd(_ stream: Int) -> SequenceNumber? {
        if let start = waitingStart(stream) { return start }
        let state = streams[stream]
        guard state.flags.contains(.hasFIN), state.fin.distance(from: state.next) > 0 else { return nil }
        return state.fin
    }

    /// Gives up the hole that a stream waits at.
    mutating func giveUpFirstHole(_ step: Step, into output: inout StreamOutput) {
        guard let end = holeEnd(step.stream) else { return }
        var declared = step
        if let piece = firstPiece(step.stream) {
            declared.packet = piece.packet
            declared.time = piece.time
        }
        let count = end.distance(from: streams[step.stream].next)
        if count > 0 { declareGap(count, declared, into: &output) }
        streams[step.stream].patience = 0
        drain(step, into: &output)
        finishIfComplete(step, into: &output)
    }

    func firstPiece(_ stream: Int) -> PendingQueue.Piece? {
        let queue = Int(streams[stream].pending)
        return queue < 0 ? nil : queues[queue].pieces.first
    }

    /// Gives up every hole that the other side has acknowledged.
    mutating func giveUpAcknowledgedHoles(_ step: Step, into output: inout StreamOutput) {
        while let end = holeEnd(step.stream), streams[step.stream].flags.contains(.isAcknowledged),
            streams[step.stream].acknowledged.distance(from: end) >= 0
        {
            giveUpFirstHole(step, into: &output)
        }
    }

    /// Gives up every hole.
    mutating func giveUpHoles(_ step: Step, into output: inout StreamOutput) {
        while holeEnd(step.stream) != nil { giveUpFirstHole(step, into: &output) }
    }

    /// Counts a packet that passed while a hole was acknowledged already.
    mutating func checkPatience(_ step: Step, into output: inout StreamOutput) {
        guard let end = holeEnd(step.stream), streams[step.stream].flags.contains(.isAcknowledged),
            streams[step.stream].acknowledged.distance(from: end) >= 0
        else { return }
        streams[step.stream].patience += 1
        if streams[step.stream].patience >= ConnectionTracker.patienceLimit {
            giveUpAcknowledgedHoles(step, into: &output)
        }
    }

    mutating func receiveEnd(
        _ segment: TCPSegment,
        _ sequence: SequenceNumber,
        _ step: Step,
        into output: inout StreamOutput
    ) {
        let isReset = segment.flags.contains(.rst)
        connections[step.connection].noteClose(
            from: step.direction,
            isReset: isReset,
            packet: step.packet,
            time: step.time
        )
        if isReset {
            giveUpHoles(step, into: &output)
            giveUpHoles(step.opposite, into: &output)
        } else if !streams[step.stream].flags.contains(.hasFIN) {
            streams[step.stream].fin = sequence
            streams[step.stream].flags.insert(.hasFIN)
        }
        finishIfComplete(step, into: &output)
    }

    /// Hands on that a direction has ended, once everything before its FIN was handed on.
    mutating func finishIfComplete(_ step: Step, into output: inout StreamOutput) {
        let state = streams[step.stream]
        guard state.flags.contains(.hasFIN), !state.flags.contains(.isFinished), state.pending < 0,
            state.next.distance(from: state.fin) >= 0
        else { return }
        streams[step.stream].flags.insert(.isFinished)
        output.append(step.chunk(.finished))
        if streams[step.stream ^ 1].flags.contains(.isFinished) { release(step, into: &output) }
    }
}
