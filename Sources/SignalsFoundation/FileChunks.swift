public import ColdProducers
public import Foundation
import HotSignals

extension FileHandle {
    /// A producer of the bytes from the handle's position on, in chunks.
    ///
    /// ```swift
    /// FileHandle.standardInput.chunks(upTo: 65_536).startWithResult { print($0) }
    /// ```
    ///
    /// The next chunk is read when the previous one has been delivered. A consumer or an operator that says so suspends
    /// the reading while it has no room: `values(buffering: .suspending(n))`, and
    /// ``/ColdProducers/SignalProducer/buffer(upTo:whenFull:on:)``. An operator that delivers values later
    /// without such a limit, such as `observe(on:)`, buffers them without a bound.
    ///
    /// A chunk has at least one byte. From a pipe, a socket or a terminal it has what is there, without waiting for
    /// more.
    ///
    /// **Position**: the handle and all starts share one position. A second start begins where the first one stopped,
    /// and simultaneous starts each receive a part of the bytes. If two starts of one pipe find the same bytes, the
    /// slower one blocks its queue until more arrive, and its disposal does not wake it up. To read a file from its
    /// beginning at each start, use ``chunks(of:upTo:)``.
    ///
    /// **Termination**: completes at the end of the file, or when the other end of the pipe or socket is closed. Fails
    /// with the system call that failed: for example with `EISDIR` for a directory, and with `EBADF` for a handle that
    /// has been closed or is not open for reading.
    ///
    /// **Threads**: blocking calls are made on a queue of the start. Events are sent on the threads on which its task
    /// runs.
    ///
    /// **Disposal** interrupts immediately. The handle is not closed, because the producer does not own it. Each start
    /// reads through a copy of its descriptor, so you can close the handle after the start. The copy is closed when the
    /// start ends, or, if it is reading or waiting at that moment, as soon as that returns. What it reads then is
    /// dropped.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes of a chunk. Memory for this many bytes is allocated for each chunk, but
    ///     no more than 16 MiB: the chunks of a greater limit have at most that size. Traps unless positive.
    public func chunks(upTo limit: Int) -> SignalProducer<Data, SystemError> {
        Self.checkLimit(limit, "chunks(upTo: \(limit))")
        return SignalProducer(StreamName("chunks(upTo: #)", argument: limit), reading: self) {
            ChunkReading(limit: limit)
        }
    }

    /// A producer of the bytes of a file, in chunks.
    ///
    /// ```swift
    /// let size = FileHandle.chunks(of: log, upTo: 65_536).reduce(0) { $0 + $1.count }
    /// ```
    ///
    /// Like ``chunks(upTo:)``, but each start opens the file, reads it from its beginning, and closes it when
    /// it ends. Fails with the system call that failed: for example with `ENOENT` if there is no such file.
    ///
    /// - Parameters:
    ///   - url: The file. It is opened on the queue of the start, and not before. A named pipe without a writer is
    ///     waited for. Traps unless it is a file URL.
    ///   - limit: The maximum number of bytes of a chunk, at most 16 MiB. Traps unless positive.
    public static func chunks(of url: URL, upTo limit: Int) -> SignalProducer<Data, SystemError> {
        checkLimit(limit, "chunks(of:upTo: \(limit))")
        checkURL(url, "chunks(of:upTo:)")
        return SignalProducer(StreamName("chunks(of:upTo: #)", argument: limit), readingFileAt: url) {
            ChunkReading(limit: limit)
        }
    }

    private static func checkLimit(_ limit: Int, _ call: @autoclosure () -> String) {
        require(limit > 0, "\(call()): the number of bytes must be positive")
    }

    static func checkURL(_ url: URL, _ call: @autoclosure () -> String) {
        require(url.isFileURL, "\(call()): \(url) is not the URL of a file")
    }
}

/// Makes values of what has been read.
protocol Reading<Value>: Sendable {
    associatedtype Value: Sendable

    /// The next value, or `nil` at the end.
    mutating func next(from reader: DescriptorReader) async throws(SystemError) -> Value?
}

private struct ChunkReading: Reading {
    let limit: Int

    func next(from reader: DescriptorReader) async throws(SystemError) -> Data? { try await reader.read(upTo: limit) }
}

extension SignalProducer where Failure == SystemError {
    /// Creates a producer that reads a copy of a handle's descriptor.
    init<R: Reading>(
        _ name: StreamName, reading handle: FileHandle, _ reading: @escaping @Sendable () -> R
    ) where R.Value == Value {
        self.init(name, isSuspendable: true) { start, sink in
            if start.isOver { return sink.end(.interrupted) }
            do throws(SystemError) {
                Self.read(try DescriptorReader(copying: handle), reading(), start, sink)
            } catch {
                sink.end(.error(error))
            }
        }
    }

    /// Creates a producer that opens a file and reads it.
    init<R: Reading>(
        _ name: StreamName, readingFileAt url: URL, _ reading: @escaping @Sendable () -> R
    ) where R.Value == Value {
        self.init(name, isSuspendable: true) { start, sink in
            Self.read(DescriptorReader(.file(url)), reading(), start, sink)
        }
    }

    private static func read<R: Reading>(
        _ reader: DescriptorReader, _ reading: R, _ start: Start, _ sink: ProducerSink<Value, Failure>
    ) where R.Value == Value {
        // Added before the task, which may end the start at once: the file is closed before what follows begins.
        start.observeEnded { reader.stop() }
        TaskHead.run(into: sink) { head in
            var reading = reading
            do throws(SystemError) {
                while let value = try await reading.next(from: reader), head.next(value) {
                    if let senders = head.senders, await !senders.waitForRoom() { break }
                }
                head.end(Task.isCancelled ? .interrupted : .completed)
            } catch {
                head.end(.error(error))
            }
        }
    }
}
