public import AuthScanBytes
import Dispatch
import Synchronization

extension Companion {
    /// How many pieces of work may wait: each holds a block of the capture.
    private static let piecesAhead = 8

    /// How many pieces are done before whoever waits for room is told: to be woken for each would cost more than the piece.
    private static let piecesTold = piecesAhead / 2

    /// A thread of its own where the machine runs several at once; the caller itself otherwise.
    public static func machine() -> Companion {
        guard Workers.machineCount > 1 else { return .none }
        let queue = DispatchQueue(label: "messages")
        // Not made with its value: it must not end below that, and at the end some of the room is not told of.
        let room = DispatchSemaphore(value: 0)
        for _ in 0..<piecesAhead { room.signal() }
        let done = Mutex(0)
        return Companion(
            submit: { work in
                room.wait()
                queue.async {
                    work()
                    let told = done.withLock { count in
                        count = (count + 1) % piecesTold
                        return count == 0 ? piecesTold : 0
                    }
                    for _ in 0..<told { room.signal() }
                }
            },
            join: { queue.sync {} }
        )
    }
}
