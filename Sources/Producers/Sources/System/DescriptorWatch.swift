import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// Watches a copy of a descriptor for one start. The copy is closed when the watch ends.
struct DescriptorWatch {
    enum Direction {
        case reading, writing
    }

    /// The result of polling the descriptor.
    private struct PollResult {
        /// The number of bytes that can be read, as far as known.
        var count: Int
        /// Whether this is the last value.
        var isLast: Bool
    }

    #if os(Linux)
    /// `POLLRDHUP`, which a C library defines only on request: the other end sends no more.
    private static let shutDown: Int16 = 0x2000
    #else
    /// Stands in for Linux's `POLLRDHUP`: no event.
    private static let shutDown: Int16 = 0
    #endif

    private let direction: Direction
    private let copy: Int32
    #if os(Linux)
    /// An epoll set whose only member is the copy. Dispatch watches the set, because it misses the closing of the other
    /// end if it watches the copy itself while nothing can be written.
    private let set: Int32
    #endif

    /// Watches a descriptor, and sends into a sink when it is ready.
    ///
    /// - Parameter value: Converts the number of bytes that can be read into a value.
    static func begin<Value>(
        _ direction: Direction, _ descriptor: Int32, _ start: Start,
        _ sink: ProducerSink<Value, SystemError>,
        _ value: @escaping @Sendable (Int) -> Value
    ) {
        guard let core = Core.head(of: sink) else { return }
        let watch: DescriptorWatch
        do throws(SystemError) {
            watch = try DescriptorWatch(direction, descriptor)
        } catch {
            return core.sendEnd(.error(error))
        }
        start += SystemSource(watch.makeSource()) {
            guard !start.isOver, let result = watch.look() else { return }
            core.sendNext(value(result.count))
            if result.isLast { core.sendEnd(.completed) }
        } cleanUp: {
            watch.close()
        }
    }

    private init(_ direction: Direction, _ descriptor: Int32) throws(SystemError) {
        self.direction = direction
        copy = try Self.copy(descriptor, for: direction)
        #if os(Linux)
        set = LinuxCalls.makeSet()
        guard set >= 0 else {
            let error = SystemError.last("epoll_create1")
            systemClose(copy)
            throw error
        }
        guard LinuxCalls.add(copy, for: Self.events(direction), to: set) == 0 else {
            let error = SystemError.last("epoll_ctl")
            systemClose(set)
            systemClose(copy)
            throw error
        }
        #endif
    }

    private func close() {
        #if os(Linux)
        systemClose(set)
        #endif
        systemClose(copy)
    }

    private static func events(_ direction: Direction) -> Int16 {
        direction == .reading ? Int16(truncatingIfNeeded: POLLIN) | shutDown : Int16(truncatingIfNeeded: POLLOUT)
    }

    /// Returns a copy of a descriptor, and throws if it cannot be waited for. A copy is needed because the system
    /// identifies what it watches by number: when the user closes a descriptor, the next one that is opened gets its
    /// number.
    private static func copy(_ descriptor: Int32, for direction: Direction) throws(SystemError) -> Int32 {
        let mode = fcntl(descriptor, F_GETFL)
        guard mode >= 0 else { throw .last("fcntl") }
        let isOpposite = mode & O_ACCMODE == (direction == .reading ? O_WRONLY : O_RDONLY)
        guard !isOpposite else { throw SystemError(code: EBADF, operation: direction == .reading ? "read" : "write") }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last("fstat") }
        let kind = status.st_mode & S_IFMT
        // The error that the calls that wait for descriptors report.
        guard kind != S_IFREG, kind != S_IFDIR else { throw SystemError(code: EPERM, operation: "poll") }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last("fcntl") }
        return copy
    }

    private func makeSource() -> any DispatchSourceProtocol {
        // A queue of its own always gets a thread, even while all threads of the process's pool are busy.
        let queue = DispatchQueue(label: "ReactiveSignals.descriptor")
        #if os(Linux)
        return DispatchSource.makeReadSource(fileDescriptor: set, queue: queue)
        #else
        switch direction {
        case .reading: return DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
        case .writing: return DispatchSource.makeWriteSource(fileDescriptor: copy, queue: queue)
        }
        #endif
    }

    /// Polls the descriptor. Returns `nil` if it is not ready, because other code may have read from it in the
    /// meantime.
    private func look() -> PollResult? {
        var request = pollfd(fd: copy, events: Self.events(direction), revents: 0)
        guard poll(&request, 1, 0) == 1 else { return nil }
        let isHungUp = request.revents & ~Int16(truncatingIfNeeded: POLLIN | POLLOUT) != 0
        guard direction == .reading else { return PollResult(count: 0, isLast: isHungUp) }
        var count: Int32 = 0
        if ioctl(copy, UInt(FIONREAD), &count) != 0 { count = 0 }
        return PollResult(count: Int(count), isLast: isHungUp && count == 0)
    }
}

/// The `close` of the C library, which a method hides.
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
