import ColdProducers
import Foundation
import HotSignals
import ReactiveAsync

/// Reads a descriptor for one start: on demand, on a queue that may block, and until it is stopped.
///
/// The descriptor is owned by the reader. It is closed when the start ends. If a read is under way at that moment, the
/// thread that reads closes it, so the number is never used after another file has taken it.
final class DescriptorReader: Sendable {
    enum Source: Sendable {
        /// A descriptor that has been opened for the reader.
        case open(Int32)
        /// A file that the first read opens, because that may block.
        case file(URL)
    }

    private enum State {
        case idle(Source)
        case reading
        /// Stopped during a read.
        case stopping
        case closed
    }

    private enum Attempt: Sendable {
        case bytes(Data)
        /// The end of the file, or the start has been stopped.
        case end
        case failed(SystemError)
        /// Nothing can be read from this descriptor yet. The reader still counts as reading.
        case notReady(Int32)
    }

    /// The largest buffer for a chunk.
    private static let largestBuffer = 1 << 24

    private let state: Locked<State>
    // A queue of its own always gets a thread, even while all threads of the process's pool are busy.
    private let queue = DispatchQueue(label: "ReactiveSignals.reading")

    init(_ source: Source) { state = Locked(.idle(source)) }

    /// Creates a reader of a copy of a handle's descriptor. The copy shares the position in the file.
    ///
    /// A copy is needed because the user may close the handle, and the next file that is opened gets its number.
    convenience init(copying handle: FileHandle) throws(SystemError) {
        let copy = fcntl(handle.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last("fcntl") }
        self.init(.open(copy))
    }

    deinit { stop() }

    /// Waits until there is something to read, and reads it. Not to be called again before it has returned.
    ///
    /// - Returns: At least one byte, or `nil` at the end of the file, after ``stop()``, and when the task is cancelled,
    ///   which comes before that.
    func read(upTo limit: Int) async throws(SystemError) -> Data? {
        while !Task.isCancelled {
            let attempt = await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: self.attempt(limit)) }
            }
            switch attempt {
            case .bytes(let data): return data
            case .end: return nil
            case .failed(let error): throw error
            case .notReady(let descriptor):
                defer { finishReading(descriptor) }
                // Returns when the task is cancelled.
                _ = try await SignalProducer.readable(fileDescriptor: descriptor).first()
            }
        }
        return nil
    }

    /// Closes the descriptor, now or when the read that is under way has ended.
    func stop() {
        let descriptor: Int32? = state.withLock { state in
            switch state {
            case .idle(let source):
                state = .closed
                if case .open(let descriptor) = source { return descriptor }
                return nil
            case .reading, .stopping:
                state = .stopping
                return nil
            case .closed: return nil
            }
        }
        if let descriptor { close(descriptor) }
    }

    // MARK: On the queue

    private func attempt(_ limit: Int) -> Attempt {
        let source: Source? = state.withLock { state in
            guard case .idle(let source) = state else { return nil }
            state = .reading
            return source
        }
        guard let source else { return .end }
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try Self.open(source)
        } catch {
            state.withLock { $0 = .closed }
            return .failed(error)
        }
        // What is still in a named pipe is for another start.
        if isStopping {
            finishReading(descriptor)
            return .end
        }
        var request = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: POLLIN), revents: 0)
        // A file is always ready.
        if poll(&request, 1, 0) == 0 { return .notReady(descriptor) }
        let result = Self.read(descriptor, upTo: limit)
        if case .notReady = result { return result }
        finishReading(descriptor)
        return result
    }

    private var isStopping: Bool { state.withLock { if case .stopping = $0 { true } else { false } } }

    /// Makes the descriptor available for the next read, or closes it if the start has been stopped.
    private func finishReading(_ descriptor: Int32) {
        let isStopped = state.withLock { state in
            if case .stopping = state {
                state = .closed
                return true
            }
            state = .idle(.open(descriptor))
            return false
        }
        if isStopped { close(descriptor) }
    }

    private static func open(_ source: Source) throws(SystemError) -> Int32 {
        switch source {
        case .open(let descriptor): return descriptor
        case .file(let url):
            while true {
                // Does not wait for the writer of a named pipe: the reader polls for that.
                let descriptor = url.withUnsafeFileSystemRepresentation { path in
                    path.map { systemOpen($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
                }
                guard let descriptor else { throw SystemError(code: ENOENT, operation: "open") }
                if descriptor >= 0 { return descriptor }
                if errno != EINTR { throw .last("open") }
            }
        }
    }

    private static func read(_ descriptor: Int32, upTo limit: Int) -> Attempt {
        let capacity = min(limit, largestBuffer)
        guard let bytes = malloc(capacity) else { return .failed(.last("malloc")) }
        while true {
            let count = systemRead(descriptor, bytes, capacity)
            if count > 0 {
                // Does not hold a large buffer for a few bytes. If it cannot shrink, it remains valid.
                let shrunk = count < capacity ? realloc(bytes, count) ?? bytes : bytes
                return .bytes(Data(bytesNoCopy: shrunk, count: count, deallocator: .free))
            }
            let reason = errno
            if count < 0, reason == EINTR { continue }
            free(bytes)
            if count == 0 { return .end }
            // Another reader was faster.
            if reason == EAGAIN || reason == EWOULDBLOCK { return .notReady(descriptor) }
            return .failed(SystemError(code: reason, operation: "read"))
        }
    }
}

/// The `open` of the C library, which a method hides.
private func systemOpen(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { open(path, flags) }

/// The `read` of the C library, which a method hides.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
