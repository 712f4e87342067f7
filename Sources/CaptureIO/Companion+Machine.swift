public import AuthScanBytes
import Dispatch

extension Companion {
    /// How many pieces of work may wait: each holds a few blocks of the capture.
    private static let piecesAhead = 2

    /// A thread of its own where the machine runs several at once; the caller itself otherwise.
    public static func machine() -> Companion {
        guard Workers.machineCount > 1 else { return .none }
        let queue = DispatchQueue(label: "messages")
        let room = DispatchSemaphore(value: piecesAhead)
        return Companion(
            submit: { work in
                room.wait()
                queue.async {
                    Heap.useLargePages()
                    work()
                    room.signal()
                }
            },
            join: { queue.sync {} }
        )
    }
}
