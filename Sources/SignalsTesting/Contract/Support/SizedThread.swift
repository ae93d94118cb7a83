import HotSignals

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// A thread with a stack of exactly the requested size. Unless it is joined, its stack is never released.
///
/// The stack that the C library provides may be larger: that of a thread that has ended.
package final class SizedThread: @unchecked Sendable {
    // Sendable: nothing changes after `init` but the flag, which is atomic.
    private let handle: pthread_t
    private let stack: ThreadStack
    private let hasEnded = AtomicFlag()
    /// The stacks of threads that may still run.
    private static let abandoned = Locked<[ThreadStack]>([])

    package init(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
        let stack = ThreadStack(size: stackSize)
        self.stack = stack
        handle = createThread(body) { pthread_attr_setstack($0, stack.base, stack.size) }
    }

    /// Waits until the thread has ended. Call at most once.
    package func join() {
        pthread_join(handle, nil)
        hasEnded.raise()
    }

    deinit {
        if hasEnded.isRaised { return }
        Self.abandoned.withLock { $0.append(stack) }
        pthread_detach(handle)
    }
}

/// The memory of a stack.
private final class ThreadStack: @unchecked Sendable {
    // Sendable: nothing changes after `init`.
    private static let page = sysconf(CInt(_SC_PAGESIZE))

    /// The lowest address. Below it is a page that cannot be accessed.
    let base: UnsafeMutableRawPointer
    let size: Int

    init(size: Int) {
        let page = Self.page
        self.size = (size + page - 1) / page * page
        // Null is never the answer to a request that names no address.
        let memory = mmap(nil, self.size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
        require(
            memory != MAP_FAILED && mprotect(memory, page, PROT_NONE) == 0,
            "OperatorContract: no memory for a stack of \(size) bytes (errno \(errno))", file: #fileID, line: #line)
        base = memory + page
    }

    deinit { munmap(base - Self.page, size + Self.page) }
}

/// Starts a detached thread, with a stack of at least this size.
func startThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
    let thread = createThread(body) { pthread_attr_setstacksize($0, stackSize) }
    pthread_detach(thread)
}

private func createThread(
    _ body: @escaping @Sendable () -> Void, _ configure: (UnsafeMutablePointer<pthread_attr_t>) -> CInt
) -> pthread_t {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    defer { pthread_attr_destroy(attributes) }
    var failure = configure(attributes)
    require(
        failure == 0, "OperatorContract: a stack that no thread can have (error \(failure))", file: #fileID, line: #line
    )
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    failure = pthread_create(&thread, attributes, { runThreadBody($0) }, context)
    #else
    var thread = pthread_t()
    // The argument is `context`, so it is not `nil`.
    failure = pthread_create(&thread, attributes, { runThreadBody($0!) }, context)
    #endif
    require(failure == 0, "OperatorContract: cannot start a thread (error \(failure))", file: #fileID, line: #line)
    #if canImport(Darwin)
    // Set by a successful call.
    return thread!
    #else
    return thread
    #endif
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadBody(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
