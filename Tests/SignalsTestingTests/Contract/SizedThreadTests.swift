#if canImport(Glibc)
import Glibc
import HotSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("SizedThread", .watched)
struct SizedThreadTests {
    @Test("has the requested stack, and not the larger one of a thread that has ended")
    func size() throws {
        let measure = try #require(StackMeasure())
        for size in [16 << 20, 8 << 20, 512 << 10] {
            let measured = Locked(0)
            SizedThread(stackSize: size) {
                let own = measure.sizeOfOwnStack()
                measured.withLock { $0 = own }
            }.join()
            expect(measured.withLock { $0 }, is: size)
        }
    }
}

/// Asks the C library for the size of a stack. Its function for that is not visible from Swift.
private struct StackMeasure: Sendable {
    private typealias GetAttributes =
        @convention(c) @Sendable (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt

    private let getAttributes: GetAttributes

    init?() {
        guard let function = dlsym(nil, "pthread_getattr_np") else { return nil }
        getAttributes = unsafeBitCast(function, to: GetAttributes.self)
    }

    func sizeOfOwnStack() -> Int {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard getAttributes(pthread_self(), attributes) == 0 else { return 0 }
        defer { pthread_attr_destroy(attributes) }
        var size = 0
        pthread_attr_getstacksize(attributes, &size)
        return size
    }
}
#endif
