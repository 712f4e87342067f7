import Synchronization
import Testing

@testable import AuthScanBytes

@Suite struct CompanionTests {
    @Test("without a companion, work is done when it is handed over")
    func doesWorkAtOnce() {
        let done = Mutex<[Int]>([])
        for number in 0..<3 {
            Companion.none.perform { done.withLock { $0.append(number) } }
            #expect(done.withLock { $0.count } == number + 1)
        }
        Companion.none.finish()
        #expect(done.withLock { $0 } == [0, 1, 2])
    }

    @Test("a companion gets the work, and is waited for")
    func handsWorkOver() {
        let waiting = Mutex<[Companion.Work]>([])
        let companion = Companion(
            submit: { work in waiting.withLock { $0.append(work) } },
            join: { for work in waiting.withLock({ $0 }) { work() } }
        )
        let done = Mutex(0)
        companion.perform { done.withLock { $0 += 1 } }
        #expect(done.withLock { $0 } == 0)
        companion.finish()
        #expect(done.withLock { $0 } == 1)
    }
}
