import AuthScanBytes
import Synchronization
import Testing

@testable import AuthScanCaptureIO

@Suite struct CompanionMachineTests {
    @Test("work is done in order, however much there is, and is done when it was waited for")
    func keepsTheOrder() {
        let companion = Companion.machine()
        let done = Mutex<[Int]>([])
        for number in 0..<1000 { companion.perform { done.withLock { $0.append(number) } } }
        companion.finish()
        #expect(done.withLock { $0 } == Array(0..<1000))
    }

    @Test("a companion with nothing to do is not waited for")
    func finishesWithoutWork() { Companion.machine().finish() }
}
