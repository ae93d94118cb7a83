#if Explore
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Real threads that are reused by later executions. A thread that is stuck in a failed execution stays stuck.
final class Crew: @unchecked Sendable {
    // Sendable: the lock of ``Outside`` guards `idle`.
    static let shared = Crew()
    private var idle: [Member] = []

    func run(_ body: @escaping () -> Void) {
        Outside.lock()
        let member = idle.popLast()
        Outside.unlock()
        (member ?? Member(self)).run(body)
    }

    fileprivate func take(back member: Member) {
        Outside.lock()
        idle.append(member)
        Outside.unlock()
    }

    fileprivate final class Member: @unchecked Sendable {
        private let hasWork = Baton()
        private var body: (() -> Void)?
        private unowned let crew: Crew

        init(_ crew: Crew) {
            self.crew = crew
            let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
            defer { attributes.deallocate() }
            pthread_attr_init(attributes)
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setstacksize(attributes, 1 << 20)
            let context = Unmanaged.passRetained(self).toOpaque()
            var thread: pthread_t = 0
            let failure = pthread_create(
                &thread, attributes,
                { context in
                    Unmanaged<Member>.fromOpaque(context!).takeUnretainedValue().loop()
                    return nil
                }, context)
            precondition(failure == 0, "Explorer: cannot start a thread (errno \(failure))")
            pthread_detach(thread)
        }

        func run(_ body: @escaping () -> Void) {
            self.body = body
            hasWork.signal()
        }

        private func loop() {
            while true {
                hasWork.wait()
                body?()
                body = nil
                crew.take(back: self)
            }
        }
    }
}
#endif
