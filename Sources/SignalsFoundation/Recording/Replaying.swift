public import ColdProducers
public import Foundation
import HotSignals

// As fast as the consumer takes them.

extension SignalProducer where Value: Decodable, Failure == RecordingError {
    /// A producer that replays a stream of a recording immediately, for a stream that could not fail.
    ///
    /// ```swift
    /// let amounts = SignalProducer.replaying(contentsOf: file, as: Int.self)
    /// print(try amounts.blockingCollect() ?? [])  // prints [3, 5, 8]
    /// ```
    ///
    /// Each start opens the file and reads it on its own thread, as far as values are needed, and sends each event as
    /// soon as it has been read. The times of the recording do not matter. It reads in chunks of 64 KiB, and holds one
    /// chunk, or the longest line, in memory.
    ///
    /// **Termination**: ends as the stream did. If the recording ends before the stream, for example because it was
    /// stopped, the producer is interrupted: it is not known how the stream continued. If the file is cut off, because
    /// the process was killed, the producer sends the events up to there, and then fails with
    /// ``RecordingError/truncated(afterLine:)``.
    ///
    /// **Disposal** closes the file.
    ///
    /// - Parameters:
    ///   - file: The recording. Traps unless it is a file URL.
    ///   - type: The type of the values.
    ///   - stream: Selects one of several streams.
    /// - SeeAlso: ``replaying(contentsOf:as:stream:speed:on:)``, which replays the times, too.
    public static func replaying(
        contentsOf file: URL, as type: Value.Type, stream: RecordedStream = .first
    ) -> SignalProducer {
        replaying(file, stream, throwing: Never.self, { $0 }, impossible)
    }

    /// A producer that replays a stream of a recording with its times, for a stream that could not fail.
    ///
    /// ```marbles
    /// SignalProducer.replaying(contentsOf: file, as: Int.self, on: clock)              -1-2-----3-|
    /// SignalProducer.replaying(contentsOf: file, as: Int.self, speed: 0.5, on: clock)  --1---2-----------3---|
    /// ```
    ///
    /// Like ``replaying(contentsOf:as:stream:)``, but each event is sent when as much time has passed since the start
    /// as had since the beginning of the recording. Events that were recorded at the same time are sent one after
    /// another. On a `TestScheduler` the times are exact. In real time, an event that is late does not delay those
    /// after it.
    ///
    /// **Threads**: the file is opened and read on the scheduler, which blocks its thread while the disk is busy.
    /// Events are sent there, too.
    ///
    /// - Parameters:
    ///   - file: The recording. Traps unless it is a file URL.
    ///   - type: The type of the values.
    ///   - stream: Selects one of several streams.
    ///   - speed: Divides the times: 2 replays in half the time. Traps unless positive and finite.
    ///   - scheduler: Where events are sent.
    public static func replaying(
        contentsOf file: URL, as type: Value.Type, stream: RecordedStream = .first, speed: Double = 1,
        on scheduler: some DelayScheduler
    ) -> SignalProducer {
        replaying(file, stream, speed, on: scheduler, throwing: Never.self, { $0 }, impossible)
    }
}

extension SignalProducer where Value: Decodable {
    /// A producer that replays a stream of a recording immediately, also its error.
    ///
    /// Like ``replaying(contentsOf:as:stream:)``. An error of the stream is ``ReplayError/recorded(_:)``, and a
    /// problem with the file is ``ReplayError/recording(_:)``.
    ///
    /// ```swift
    /// let replayed = SignalProducer.replaying(contentsOf: file, as: Int.self, failingWith: OrderError.self)
    /// ```
    ///
    /// - Parameters:
    ///   - file: The recording. Traps unless it is a file URL.
    ///   - type: The type of the values.
    ///   - failure: The type of the error.
    ///   - stream: Selects one of several streams.
    public static func replaying<Recorded: Decodable & Error>(
        contentsOf file: URL, as type: Value.Type, failingWith failure: Recorded.Type, stream: RecordedStream = .first
    ) -> SignalProducer where Failure == ReplayError<Recorded> {
        replaying(file, stream, throwing: failure, { .recording($0) }, { .recorded($0) })
    }

    /// A producer that replays a stream of a recording with its times, also its error.
    ///
    /// Like ``replaying(contentsOf:as:stream:speed:on:)``. An error of the stream is ``ReplayError/recorded(_:)``, and
    /// a problem with the file is ``ReplayError/recording(_:)``.
    ///
    /// - Parameters:
    ///   - file: The recording. Traps unless it is a file URL.
    ///   - type: The type of the values.
    ///   - failure: The type of the error.
    ///   - stream: Selects one of several streams.
    ///   - speed: Divides the times: 2 replays in half the time. Traps unless positive and finite.
    ///   - scheduler: Where events are sent.
    public static func replaying<Recorded: Decodable & Error>(
        contentsOf file: URL, as type: Value.Type, failingWith failure: Recorded.Type, stream: RecordedStream = .first,
        speed: Double = 1, on scheduler: some DelayScheduler
    ) -> SignalProducer where Failure == ReplayError<Recorded> {
        replaying(file, stream, speed, on: scheduler, throwing: failure, { .recording($0) }, { .recorded($0) })
    }

    // MARK: Implementation

    fileprivate static func replaying<Recorded: Decodable & Error>(
        _ file: URL, _ stream: RecordedStream, throwing _: Recorded.Type,
        _ problem: @escaping @Sendable (RecordingError) -> Failure,
        _ recorded: @escaping @Sendable (Recorded) -> Failure
    ) -> SignalProducer {
        FileHandle.checkURL(file, "replaying(contentsOf:)")
        return SignalProducer(StreamName("replaying")) { start, sink in
            do throws(RecordingError) {
                if start.isOver { return sink.end(.interrupted) }
                var reader = try RecordingReader<Value, Recorded>(file, stream)
                while !start.isOver {
                    let event = try reader.next().event.mapError(recorded)
                    if let termination = Termination(event) { return sink.end(termination) }
                    if let value = event.value { sink.next(value) }
                }
                sink.end(.interrupted)
            } catch {
                sink.end(.error(problem(error)))
            }
        }
    }

    fileprivate static func replaying<Recorded: Decodable & Error>(
        _ file: URL, _ stream: RecordedStream, _ speed: Double, on scheduler: some DelayScheduler,
        throwing _: Recorded.Type,
        _ problem: @escaping @Sendable (RecordingError) -> Failure,
        _ recorded: @escaping @Sendable (Recorded) -> Failure
    ) -> SignalProducer {
        FileHandle.checkURL(file, "replaying(contentsOf:)")
        require(speed > 0 && speed.isFinite, "replaying(speed: \(speed)): the speed must be positive and finite")
        let work = SignalProducer { observer, lifetime in
            let place = ReplayPlace<Value, Recorded>()
            lifetime.observeEnded { place.close() }
            let replay = Replay(
                file, stream, in: place, speed: speed, on: scheduler, into: observer, problem, recorded)
            place.wait { scheduler.schedule { replay.begin() } }
        }.work
        return SignalProducer(StreamName("replaying"), work)
    }
}

/// Converts an error of a stream that cannot fail.
private func impossible(_ error: Never) -> RecordingError {}
