import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// What watches a descriptor for a start: a copy, which is closed when nothing watches it any more.
struct DescriptorWatch {
    enum Direction {
        case reading, writing
    }

    /// What a look at the descriptor has shown.
    private struct Sight {
        /// The number of bytes that can be read, as far as known.
        var count: Int
        /// Whether there will never be more.
        var isLast: Bool
        /// Whether the other end has been closed, so that there may be no further call.
        var isHungUp: Bool
    }

    #if os(Linux)
    /// `POLLRDHUP`, which a C library shows on request only: the other end sends no more.
    private static let shutDown: Int16 = 0x2000
    #else
    /// The other end sends no more.
    private static let shutDown: Int16 = 0
    #endif

    private let direction: Direction
    private let copy: Int32

    /// Begins to send into a sink when the descriptor is ready.
    ///
    /// - Parameter value: Makes a value of the number of bytes that can be read.
    static func begin<Value>(
        _ direction: Direction, _ descriptor: Int32, _ run: Run, _ sink: ProducerSink<Value, SystemError>,
        _ value: @escaping @Sendable (Int) -> Value
    ) {
        guard let core = Core.head(of: sink) else { return }
        let watch: DescriptorWatch
        do throws(SystemError) {
            watch = DescriptorWatch(direction, try copy(descriptor, for: direction))
        } catch {
            return core.sendEnd(.error(error))
        }
        run += SystemSource(watch.makeSource()) {
            // The system does not call again for an end that has been closed, whatever is left to be read.
            while !run.isOver, let sight = watch.look() {
                core.sendNext(value(sight.count))
                if sight.isLast { core.sendEnd(.completed) }
                if !sight.isHungUp { return }
            }
        } cleanUp: {
            close(watch.copy)
        }
    }

    private init(_ direction: Direction, _ copy: Int32) {
        self.direction = direction
        self.copy = copy
    }

    /// A copy of a descriptor that can be waited for. A copy, because the system finds what it watches by its number, which a
    /// descriptor that the user closes leaves to the next one that is opened.
    private static func copy(_ descriptor: Int32, for direction: Direction) throws(SystemError) -> Int32 {
        let mode = fcntl(descriptor, F_GETFL)
        guard mode >= 0 else { throw .last("fcntl") }
        let isOpposite = mode & O_ACCMODE == (direction == .reading ? O_WRONLY : O_RDONLY)
        guard !isOpposite else { throw SystemError(code: EBADF, operation: direction == .reading ? "read" : "write") }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last("fstat") }
        let kind = status.st_mode & S_IFMT
        // As the calls that wait for descriptors say.
        guard kind != S_IFREG, kind != S_IFDIR else { throw SystemError(code: EPERM, operation: "poll") }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last("fcntl") }
        return copy
    }

    private func makeSource() -> any DispatchSourceProtocol {
        // A queue of its own always gets a thread, also while those of the process's pool are busy.
        switch direction {
        case .reading:
            DispatchSource.makeReadSource(
                fileDescriptor: copy, queue: DispatchQueue(label: "ReactiveSignals.readable"))
        case .writing:
            DispatchSource.makeWriteSource(
                fileDescriptor: copy, queue: DispatchQueue(label: "ReactiveSignals.writable"))
        }
    }

    /// Whether the descriptor is ready at this moment. Somebody else may have read meanwhile what it was called for.
    private func look() -> Sight? {
        let wanted = Int16(truncatingIfNeeded: direction == .reading ? POLLIN : POLLOUT)
        var request = pollfd(fd: copy, events: direction == .reading ? wanted | Self.shutDown : wanted, revents: 0)
        guard poll(&request, 1, 0) == 1 else { return nil }
        let isHungUp = request.revents & ~wanted != 0
        switch direction {
        case .writing: return Sight(count: 0, isLast: isHungUp, isHungUp: isHungUp)
        case .reading:
            var count: Int32 = 0
            if ioctl(copy, UInt(FIONREAD), &count) != 0 { count = 0 }
            return Sight(count: Int(count), isLast: isHungUp && count == 0, isHungUp: isHungUp)
        }
    }
}
