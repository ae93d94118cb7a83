#if canImport(Glibc)
import HotSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("SizedThread", .watched)
struct SizedThreadTests {
    @Test("has the requested stack, and not the larger one of a thread that has ended")
    func size() {
        for size in [16 << 20, 8 << 20, 512 << 10] {
            let measured = Locked(0)
            SizedThread(stackSize: size) {
                let own = OwnStack()?.size ?? 0
                measured.withLock { $0 = own }
            }.join()
            expect(measured.withLock { $0 }, is: size)
        }
    }
}
#endif
